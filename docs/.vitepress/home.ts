/** The first screen of the home pages, above the text of their Markdown files. */
import type { PageData } from 'vitepress';

/** By the path of the page. */
export const homePages: Readonly<Record<string, PageData['frontmatter']>> = {
  'index.md': {
    layout: 'home',
    hero: {
      name: 'workspace-chat',
      text: 'A chat for your page, in one tag',
      tagline:
        'One web component for the Workspace Assistant API v2: small, safe and accessible, in English and Arabic.',
      actions: [
        { theme: 'brand', text: 'I have a website', link: '/start-site-owner' },
        { theme: 'alt', text: 'I build an app', link: '/start-app-developer' },
        { theme: 'alt', text: 'I design it', link: '/start-designer' },
      ],
    },
  },
  'ar/index.md': {
    layout: 'home',
    hero: {
      name: 'workspace-chat',
      text: 'محادثة لصفحتك بوسم واحد',
      tagline: 'مكوّن ويب واحد لواجهة Workspace Assistant API v2: صغير وآمن وسهل الوصول، بالعربية والإنجليزية.',
      actions: [
        { theme: 'brand', text: 'لديّ موقع', link: '/ar/start-site-owner' },
        { theme: 'alt', text: 'أنا مصمّم', link: '/ar/start-designer' },
        { theme: 'alt', text: 'حلّ المشكلات', link: '/ar/troubleshooting' },
      ],
    },
  },
};
