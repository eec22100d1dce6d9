/** The script of the installer: it examines a key, an agent and an address, shows the chat, and writes the code. */
import { checkConfiguration, resolveUrl, type Configuration } from '../src/chat/configuration.ts';
import { describeReport, examine, explain, type DoctorReport, type Finding } from '../src/products/doctor/doctor.ts';
import { define } from '../src/workspace-chat/define.ts';
import { copy } from './copy.ts';
import { platforms, policyFor, snippetsFor, type Platform } from './installer-snippets.ts';
import { instructions, platformNames, texts, type Language } from './installer-texts.ts';

define();

const marks = { ok: '✓', problem: '!', unknown: '?' };

/** Problems with this page itself say nothing about the site that the code is for. */
const checksOfThisPage = new Set(['policy', 'origin', 'storage']);

const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;

const root = document.documentElement;
const form = find('#settings') as HTMLFormElement;
const scriptUrl = find('#script-url') as HTMLInputElement;
const hasPolicy = find('#has-policy') as HTMLInputElement;

let language: Language = navigator.language.startsWith('ar') ? 'ar' : 'en';
let found: Awaited<ReturnType<typeof examine>> = [];
let platform: Platform = 'html';
/** The values that were examined and are correct, or null. */
let accepted: Configuration | null = null;

const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), { className, textContent: text });

const settings = (): Configuration => {
  const data = new FormData(form);
  const read = (name: string) => (data.get(name) as string).trim();
  return { baseUrl: read('baseUrl'), publishableKey: read('publishableKey'), agentId: read('agentId') };
};

const isSame = (one: Configuration, other: Configuration): boolean => JSON.stringify(one) === JSON.stringify(other);

const copyText = async (button: HTMLButtonElement, text: string): Promise<void> => {
  if (await copy(text)) button.textContent = texts.copied[language];
};

const showFinding = ({ state, code, title, stateLabel, message, fix }: Finding): HTMLElement => {
  const item = create('li', '');
  item.dataset['state'] = state;
  const mark = create('span', 'mark', marks[state]);
  mark.ariaHidden = 'true';
  const heading = create('div', 'heading');
  heading.append(create('h4', '', title), create('span', 'state', stateLabel));
  const body = create('div', '');
  body.append(heading, create('p', 'message', message));
  if (code === 'agent_not_asked') {
    const button = create('button', 'ask', texts.ask[language]);
    button.type = 'button';
    button.addEventListener('click', () => void run(true));
    body.append(button);
  } else if (fix) {
    body.append(create('p', 'fix', fix));
  }
  item.append(mark, body);
  return item;
};

const showReport = ({ summary, findings, isGood }: DoctorReport): void => {
  find('#summary').textContent = summary;
  find('#summary').dataset['state'] = isGood ? 'ok' : 'problem';
  find('#problems').replaceChildren(...findings.filter(({ state }) => state === 'problem').map(showFinding));
  find('#findings').replaceChildren(...findings.filter(({ state }) => state !== 'problem').map(showFinding));
};

/** Shows code that can be copied. Its box can be focused, so that the keyboard can scroll it. */
const showCode = (code: string, label: string): HTMLElement => {
  const box = create('figure', 'snippet');
  const bar = create('figcaption', '');
  const button = create('button', '', texts.copy[language]);
  button.type = 'button';
  button.setAttribute('aria-label', `${texts.copy[language]}: ${label}`);
  button.addEventListener('click', () => {
    button.removeAttribute('aria-label');
    void copyText(button, code);
  });
  const pre = create('pre', '');
  pre.dir = 'ltr';
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  pre.append(create('code', '', code));
  const name = create('bdi', '', label);
  bar.append(name, button);
  box.append(bar, pre);
  return box;
};

const parseScriptUrl = (): string | null => {
  const { value } = scriptUrl;
  return /^https?:\/\/\S+$/.test(value) && resolveUrl(value) ? value : null;
};

const showSnippets = (): void => {
  find('#result').hidden = !accepted;
  find('#code-empty').hidden = accepted !== null;
  if (!accepted) return;
  const isBundled = policyFor(platform, { ...accepted, scriptUrl: location.href }).startsWith('connect-src');
  find('#script-url-field').hidden = isBundled;
  const url = isBundled ? location.href : parseScriptUrl();
  find('#script-url-wrong').textContent = url ? '' : texts.scriptUrlWrong[language];
  scriptUrl.ariaInvalid = String(!url);
  find('#instructions').textContent = instructions[platform][language];
  find('#policy').hidden = !hasPolicy.checked;
  find('#doctor-line').replaceChildren(
    isBundled
      ? showCode(
          `const { diagnose } = await import('workspace-chat/doctor');\nawait diagnose(document.querySelector('workspace-chat'));`,
          'workspace-chat/doctor',
        )
      : showCode(`WorkspaceChat('doctor')`, 'WorkspaceChat'),
  );
  const name = platformNames[platform][language];
  if (!url) {
    find('#snippets').replaceChildren();
    return find('#policy-lines').replaceChildren();
  }
  const values = { ...accepted, scriptUrl: url };
  const snippets = snippetsFor(platform, values);
  const labelOf = (file: string | null, code: string) => file ?? (code.startsWith('npm ') ? 'npm' : name);
  find('#snippets').replaceChildren(...snippets.map(({ file, code }) => showCode(code, labelOf(file, code))));
  find('#policy-lines').replaceChildren(showCode(policyFor(platform, values), 'Content-Security-Policy'));
};

/** The text direction and the color scheme of the preview are those of this page. */
const showPreview = (): void => {
  const stage = find('#preview');
  const shown = stage.querySelector('workspace-chat');
  if (!accepted) {
    shown?.remove();
    return;
  }
  const chat = shown ?? document.createElement('workspace-chat');
  const scheme = root.dataset['scheme'] as 'light' | 'dark' | undefined;
  Object.assign(chat, accepted, { mode: 'inline', storage: 'memory', locale: language, colorScheme: scheme ?? 'auto' });
  if (!shown) stage.append(chat);
};

const show = (): void => {
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = texts[element.dataset['text'] as keyof typeof texts][language];
  }
  find('#language').lang = language === 'ar' ? 'en' : 'ar';
  for (const option of document.querySelectorAll<HTMLInputElement>('#platforms input')) {
    option.nextElementSibling!.textContent = platformNames[option.value as Platform][language];
  }
  document.title = `${texts.title[language]} · workspace-chat`;
  if (found.length > 0) showReport(explain(found, language));
  showPreview();
  showSnippets();
};

/** @param ask Whether to ask the agent a real question. */
const run = async (ask: boolean): Promise<void> => {
  const buttons = document.querySelectorAll<HTMLButtonElement>('#examine, .ask');
  for (const button of buttons) button.disabled = true;
  find('#report').hidden = false;
  find('#summary').textContent = texts.examining[language];
  const values = settings();
  try {
    const findings = await examine({ ...values, ask, locale: language });
    if (!isSame(values, settings())) return;
    found = findings;
    find('#report').hidden = false;
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  const isWrong = found.some(({ check, state }) => state === 'problem' && !checksOfThisPage.has(check));
  accepted = isWrong ? null : checkConfiguration(values);
  show();
};

// What was found and written is about the former values.
form.addEventListener('input', () => {
  found = [];
  accepted = null;
  find('#report').hidden = true;
  show();
});

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
  showPreview();
});

find('#copy').addEventListener('click', ({ currentTarget }) => {
  void copyText(currentTarget as HTMLButtonElement, describeReport(explain(found, language)));
});

scriptUrl.addEventListener('input', showSnippets);
hasPolicy.addEventListener('change', showSnippets);

for (const each of platforms) {
  const option = create('label', '');
  const input = create('input', '');
  Object.assign(input, { type: 'radio', name: 'platform', value: each, checked: each === platform });
  input.addEventListener('change', () => {
    platform = each;
    showSnippets();
  });
  option.append(input, create('span', ''));
  find('#platforms').append(option);
}

// The page cannot know an address while it is opened from a file.
scriptUrl.value =
  scriptUrl.value && location.protocol.startsWith('http') ? new URL(scriptUrl.value, location.href).href : '';
show();
const { values: valuesUrl } = form.dataset;
if (valuesUrl) {
  const response = await fetch(valuesUrl);
  const config = (await response.json()) as Record<string, string>;
  for (const input of form.querySelectorAll('input')) input.value = config[input.name] ?? '';
}
(find('#examine') as HTMLButtonElement).disabled = false;
