/** The script of the demo phone: it shows a webview, plays the app around it, and lists the messages between them. */
import type { DemoConfig } from './site.ts';
import { texts } from './webview-texts.ts';
import { App, type LoggedMessage, type ToolBehavior } from './webview/app.ts';

type Language = 'en' | 'ar';

/** The insets for the notch and the home indicator, and the height of the keyboard, in CSS pixels. */
const notch = { top: 44, bottom: 24 };
const keyboardHeight = 216;
const maxLogged = 200;

/** Locales with the same digits as the chat. */
const formats = { en: 'en-GB', ar: 'ar-OM-u-nu-latn' };

const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;
const findInput = (selector: string) => find(selector) as HTMLInputElement;

const root = document.documentElement;
const frame = find('#chat') as HTMLIFrameElement;
const log = find('#log');
const sheet = find('#sheet');
const home = find('#home');
const badge = find('#unread');
const notchSwitch = findInput('#notch');
const keyboardSwitch = findInput('#keyboard');
const customerSwitch = findInput('#customer');
const question = findInput('#question');

const requestedLanguage = new URLSearchParams(location.search).get('lang') ?? navigator.language;
let language: Language = requestedLanguage.startsWith('ar') ? 'ar' : 'en';
let config: DemoConfig;

const isDark = (): boolean =>
  root.dataset['scheme'] ? root.dataset['scheme'] === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;

const create = (name: string, className: string, text = ''): HTMLElement =>
  Object.assign(document.createElement(name), { className, textContent: text });

const pretty = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

const show = ({ direction, type, json, at }: LoggedMessage): void => {
  const entry = create('li', direction);
  entry.dataset['type'] = type;
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const arrow = create('span', 'arrow', direction === 'in' ? '↑' : '↓');
  arrow.role = 'img';
  arrow.ariaLabel = texts[direction === 'in' ? 'toApp' : 'toPage'][language];
  const brief = create('bdi', 'brief', json.replace(/^\{"v":1,"type":"[^"]*",?/, '{').slice(0, 120));
  brief.dir = 'ltr';
  const time = create('time', '', at.toLocaleTimeString('en-GB'));
  summary.append(arrow, create('bdi', 'type', type), brief, time);
  const whole = create('pre', '', pretty(json));
  whole.dir = 'ltr';
  details.append(summary, whole);
  entry.append(details);
  log.prepend(entry);
  while (log.childElementCount > maxLogged) log.lastElementChild!.remove();
};

/** Whether a stored value is a conversation, and not the list of records or the mark that one was erased. */
const isConversation = ([key, value]: readonly [string, string]): boolean =>
  key !== 'workspace-chat records' && 'messages' in (JSON.parse(value) as object);

const renderStored = (): void => {
  const kept = app.stored.filter(isConversation);
  const size = kept.reduce((sum, [, value]) => sum + new Blob([value]).size, 0);
  const kilobytes = new Intl.NumberFormat(formats[language], {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 1,
  }).format(size / 1000);
  find('#kept').textContent =
    kept.length === 0 ? texts.keptNothing[language] : texts.kept[language](kept.length, kilobytes);
  (find('#forget') as HTMLButtonElement).disabled = kept.length === 0;
};

/** Sets the visibility of the page. A browser does this for a webview, but not for a hidden iframe. */
const setVisible = (isVisible: boolean): void => {
  const page = frame.contentDocument!;
  Object.defineProperty(page, 'hidden', { configurable: true, get: () => !isVisible || document.hidden });
  page.dispatchEvent(new Event('visibilitychange'));
};

/** Shows the chat, or else the home screen of the app. */
const showChat = (isOpen: boolean): void => {
  frame.hidden = !isOpen;
  home.hidden = isOpen;
  setVisible(isOpen);
};

const showSheet = (url: string | null): void => {
  find('#link').textContent = url;
  sheet.hidden = url === null;
  frame.inert = url !== null;
  if (url === null) frame.focus();
  else find('#dismiss').focus();
};

const insets = () => {
  const free = notchSwitch.checked ? notch : { top: 0, bottom: 0 };
  return keyboardSwitch.checked ? { ...free, bottom: keyboardHeight } : free;
};

const configuration = () => ({
  baseUrl: config.baseUrl,
  publishableKey: config.publishableKey,
  agentId: config.agentId,
  ...(config.repliesUrl && { repliesUrl: config.repliesUrl }),
  locale: language,
  colorScheme: isDark() ? 'dark' : 'light',
  insets: insets(),
  storage: 'native',
  closeButton: true,
  tools: [
    {
      name: 'get_order_status',
      title: { en: 'Order status', ar: 'حالة الطلب' },
      labels: { order_number: { en: 'Order number', ar: 'رقم الطلب' } },
      confirm: true,
    },
  ],
  theme: { accent: '#a4472b' },
});

const app = new App(frame, show, (message) => {
  switch (message.type) {
    case 'ready':
      if (message['configured'] !== true) void sendConfiguration();
      break;
    case 'unread':
      badge.textContent = String(message['count']);
      badge.hidden = message['count'] === 0;
      break;
    case 'open-link':
      showSheet(String(message['url']));
      break;
    case 'close':
      showChat(false);
      find('#open').focus();
      break;
    case 'haptic':
      // The demo phone shakes on the screen instead of vibrating, except with reduced motion.
      frame.parentElement!.animate([{ translate: '2px 0' }, { translate: '-2px 0' }, { translate: '0 0' }], {
        duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 90,
      });
      break;
    case 'storage':
      renderStored();
  }
});

/** Configures the page when it is ready, with the proof of identity of a signed-in customer. */
const sendConfiguration = async (): Promise<void> => {
  const contact = customerSwitch.checked ? await (await fetch('/host/identity-token')).json() : null;
  app.post('configure', { configuration: { ...configuration(), ...(contact && { contact }) } });
};

const load = (): void => {
  const first = { allowedOrigins: [location.origin] };
  // The query changes each time, because the browser does not reload the same URL with a fragment.
  frame.src = `webview/page.html?${Date.now()}#workspaceChatConfig=${encodeURIComponent(JSON.stringify(first))}`;
};

const setLanguage = (): void => {
  root.lang = language;
  app.language = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const textOf = (name: string | undefined) => texts[name as 'title'][language];
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = textOf(element.dataset['text']);
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    element.ariaLabel = textOf(element.dataset['label']);
  }
  document.title = `${texts.title[language]} · workspace-chat`;
  question.value = texts.question[language];
  renderStored();
};

find('#language').addEventListener('click', () => {
  language = language === 'ar' ? 'en' : 'ar';
  setLanguage();
  app.post('locale', { value: language });
});

find('#scheme').addEventListener('click', () => {
  root.dataset['scheme'] = isDark() ? 'light' : 'dark';
  app.post('colorScheme', { value: root.dataset['scheme'] });
});

notchSwitch.addEventListener('change', () => app.post('insets', insets()));

keyboardSwitch.addEventListener('change', () => {
  find('#keys').hidden = !keyboardSwitch.checked;
  app.post('insets', insets());
});

customerSwitch.addEventListener('change', async () => {
  await fetch('/host/session', { method: customerSwitch.checked ? 'POST' : 'DELETE' });
  if (!customerSwitch.checked) return app.post('logout');
  app.post('identify', { contact: await (await fetch('/host/identity-token')).json() });
});

find('#tool').addEventListener('change', ({ target }) => {
  app.toolBehavior = (target as HTMLSelectElement).value as ToolBehavior;
});

find('#ask').addEventListener('submit', (event) => {
  event.preventDefault();
  showChat(true);
  frame.scrollIntoView({ block: 'nearest' });
  if (question.value.trim()) app.post('send', { text: question.value });
});

find('#raw').addEventListener('submit', (event) => {
  event.preventDefault();
  app.postRaw(findInput('#message').value);
});

find('#open').addEventListener('click', () => {
  showChat(true);
  frame.focus();
});
find('#dismiss').addEventListener('click', () => showSheet(null));
sheet.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') showSheet(null);
});
find('#back').addEventListener('click', () => {
  if (!sheet.hidden) showSheet(null);
  else if (!frame.hidden) app.post('back');
});
find('#reload').addEventListener('click', load);
frame.addEventListener('load', () => setVisible(!frame.hidden));
find('#clear').addEventListener('click', () => log.replaceChildren());
find('#forget').addEventListener('click', () => {
  app.clearStorage();
  renderStored();
  load();
});

for (const row of ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']) {
  const keys = create('div', '');
  keys.append(...Array.from(row, (letter) => create('span', '', letter)));
  find('#keys').append(keys);
}

setLanguage();
config = (await (await fetch('/config.json')).json()) as DemoConfig;
if (config.signIn) {
  find('#sign-in').hidden = false;
  const session = (await (await fetch('/host/session')).json()) as { name: string | null };
  customerSwitch.checked = session.name !== null;
}
load();
