/** The texts of the site around its pages. The Arabic ones are not yet reviewed by a native speaker. */
import type { DefaultTheme } from 'vitepress';
import type { SiteLanguage } from '../site/pages.ts';

export const themeTexts: Readonly<Record<SiteLanguage, DefaultTheme.Config>> = {
  en: {},
  ar: {
    outline: { level: [2, 3], label: 'في هذه الصفحة' },
    docFooter: { prev: 'الصفحة السابقة', next: 'الصفحة التالية' },
    darkModeSwitchLabel: 'المظهر',
    lightModeSwitchTitle: 'التحويل إلى المظهر الفاتح',
    darkModeSwitchTitle: 'التحويل إلى المظهر الداكن',
    sidebarMenuLabel: 'القائمة',
    returnToTopLabel: 'العودة إلى الأعلى',
    langMenuLabel: 'تغيير اللغة',
    skipToContentLabel: 'تخطَّ إلى المحتوى',
  },
};

export const arabicSearch: Partial<DefaultTheme.LocalSearchOptions> = {
  translations: {
    button: { buttonText: 'بحث', buttonAriaLabel: 'بحث' },
    modal: {
      displayDetails: 'عرض التفاصيل',
      resetButtonTitle: 'مسح البحث',
      backButtonTitle: 'إغلاق البحث',
      noResultsText: 'لا توجد نتائج لـ',
      footer: {
        selectText: 'للاختيار',
        navigateText: 'للتنقّل',
        closeText: 'للإغلاق',
      },
    },
  },
};
