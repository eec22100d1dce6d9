// The agent asks for details with a form, and replies to the submission.
const form = {
  type: 'form',
  id: 'frm_1',
  action_id: 'act_order',
  title: 'Your own mug',
  submit_label: 'Send',
  fields: [
    { key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true },
    {
      key: 'text',
      label_en: 'Text on the mug',
      label_ar: 'النص على الكوب',
      kind: 'text',
      options: [],
      required: false,
    },
  ],
};
let isFirst = true;
globalThis.respond = () => {
  if (!isFirst) return 'Thank you. We will send you a draft.';
  isFirst = false;
  return { text: 'Please fill in this form:', blocks: [form] };
};
addEventListener('example-ready', () => chat.send('I would like a mug with my name.'));
