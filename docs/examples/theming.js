// A short conversation that shows the visitor's and the agent's colors.
const isArabic = document.documentElement.lang === 'ar';
globalThis.respond = () => ({
  text: isArabic
    ? 'نفتح عند **التاسعة**. هذه [ساعات العمل](https://shop.example/hours).'
    : 'We open at **nine**. See [our opening hours](https://shop.example/hours).',
  blocks: [
    {
      type: 'options',
      options: [
        { label: { en: 'And on Sunday?', ar: 'ويوم الأحد؟' } },
        { label: { en: 'Where are you?', ar: 'أين أنتم؟' } },
      ],
    },
  ],
});
addEventListener('example-ready', () => chat.send(isArabic ? 'متى تفتحون؟' : 'When do you open?'));
