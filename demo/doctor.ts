/** The script of the page "Install doctor": it examines a key, an agent and an address, and shows the findings. */
import { describeReport, examine, explain, type DoctorOptions, type Finding } from '../src/products/doctor/doctor.ts';

type Language = 'en' | 'ar';

const texts = {
  title: { en: 'Install doctor', ar: 'طبيب التركيب' },
  lead: {
    en: 'The chat does not appear, or does not reply? Enter the values of your snippet to see each problem and its fix.',
    ar: 'المحادثة لا تظهر أو لا تجيب؟ أدخل ما في شيفرتك لتعرف موضع الخلل وما العمل.',
  },
  scheme: { en: 'Light or dark', ar: 'فاتح أو داكن' },
  language: { en: 'العربية', ar: 'English' },
  baseUrl: { en: 'Address of the service (base-url)', ar: 'عنوان الخدمة (base-url)' },
  publishableKey: { en: 'Publishable key', ar: 'المفتاح القابل للنشر' },
  agentId: { en: 'Agent', ar: 'الوكيل' },
  examine: { en: 'Examine', ar: 'افحص' },
  harmless: {
    en: 'No question is asked, and nothing counts as a conversation. A secret key is not sent anywhere.',
    ar: 'لا يُطرح أي سؤال ولا يُحتسب شيء، ولا يُرسَل المفتاح السري إلى أي جهة.',
  },
  examining: { en: 'Examining…', ar: 'جارٍ الفحص…' },
  ask: { en: 'Ask one real question', ar: 'اطرح سؤالًا حقيقيًا واحدًا' },
  copy: { en: 'Copy the report', ar: 'انسخ التقرير' },
  copied: { en: 'Copied', ar: 'نُسخ' },
  yourSite: { en: 'On your own site', ar: 'على موقعك' },
  yourSiteLead: {
    en: 'This page examines from its own address. To check whether your site is allowed, and whether its Content Security Policy allows the chat, open the console on your site and type:',
    ar: 'تفحص هذه الصفحة من عنوانها هي. أما إذن موقعك وسياسة أمان المحتوى فيه فلا يُعرفان إلا منه. افتح وحدة التحكم في متصفحك على موقعك واكتب:',
  },
  yourSiteElement: {
    en: 'If the page uses its own <workspace-chat> element instead of the script tag:',
    ar: 'وإن كان في الصفحة عنصر \u2066<workspace-chat>\u2069 بدل وسم السكربت:',
  },
} as const satisfies Record<string, Record<Language, string>>;

const marks = { ok: '✓', problem: '!', unknown: '?' };

const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;

const root = document.documentElement;
const form = find('#settings') as HTMLFormElement;
const examineButton = find('#examine') as HTMLButtonElement;
const copyButton = find('#copy') as HTMLButtonElement;

let language: Language = navigator.language.startsWith('ar') ? 'ar' : 'en';
let found: Awaited<ReturnType<typeof examine>> = [];

const create = (name: string, className: string, text: string): HTMLElement => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};

const settings = (): DoctorOptions =>
  Object.fromEntries(Array.from(new FormData(form), ([name, value]) => [name, (value as string).trim()]));

const showFinding = ({ state, code, title, stateLabel, message, fix }: Finding): HTMLElement => {
  const item = create('li', '', '');
  item.dataset['state'] = state;
  const mark = create('span', 'mark', marks[state]);
  mark.ariaHidden = 'true';
  const heading = create('div', 'heading', '');
  heading.append(create('h3', '', title), create('span', 'state', stateLabel));
  const body = document.createElement('div');
  body.append(heading, create('p', 'message', message));
  if (code === 'agent_not_asked') {
    const button = create('button', 'ask', texts.ask[language]) as HTMLButtonElement;
    button.type = 'button';
    button.addEventListener('click', () => void run(true));
    body.append(button);
  } else if (fix) {
    body.append(create('p', 'fix', fix));
  }
  item.append(mark, body);
  return item;
};

const show = (): void => {
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = texts[element.dataset['text'] as keyof typeof texts][language];
  }
  document.title = `${texts.title[language]} · workspace-chat`;
  if (found.length === 0) return;
  const report = explain(found, language);
  find('#summary').textContent = report.summary;
  find('#findings').replaceChildren(...report.findings.map(showFinding));
};

/** @param ask Whether to ask the agent a real question. */
const run = async (ask: boolean): Promise<void> => {
  const buttons = document.querySelectorAll<HTMLButtonElement>('#examine, .ask');
  for (const button of buttons) button.disabled = true;
  find('#report').hidden = false;
  find('#summary').textContent = texts.examining[language];
  try {
    found = await examine({ ...settings(), ask, locale: language });
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  show();
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(false);
});

find('#language').addEventListener('click', () => {
  language = language === 'ar' ? 'en' : 'ar';
  show();
});

find('#scheme').addEventListener('click', () => {
  const isDark = root.dataset['scheme']
    ? root.dataset['scheme'] === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['scheme'] = isDark ? 'light' : 'dark';
});

copyButton.addEventListener('click', () => {
  void navigator.clipboard.writeText(describeReport(explain(found, language))).then(() => {
    copyButton.textContent = texts.copied[language];
  });
});

show();
const response = await fetch('/config.json');
const config = (await response.json()) as Record<string, string>;
for (const input of form.querySelectorAll('input')) input.value = config[input.name] ?? '';
examineButton.disabled = false;
