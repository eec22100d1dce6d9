/** The labels of the buttons that a visitor clicks, in both languages. */
export const labels = {
  sendAgain: ['Send again', 'إرسال مجددًا'],
  askAgain: ['Ask again', 'السؤال مجددًا'],
  edit: ['Edit', 'تعديل'],
  stop: ['Stop', 'إيقاف'],
} as const;
