import { expect } from '@open-wc/testing';
import { mount, press, type, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** A speech recognition whose results the test decides. */
class FakeRecognition extends EventTarget {
  static state = 'available';
  static last: FakeRecognition;
  static asked: unknown = null;
  static available(options: unknown): Promise<string> {
    FakeRecognition.asked = options;
    return Promise.resolve(FakeRecognition.state);
  }

  lang = '';
  processLocally = false;
  constructor() {
    super();
    FakeRecognition.last = this;
  }

  start(): void {}

  #isAborted = false;

  abort(): void {
    this.#isAborted = true;
    this.dispatchEvent(new Event('end'));
  }

  hear(...transcripts: string[]): void {
    if (this.#isAborted) return;
    const results = transcripts.map((transcript) => [{ transcript }]);
    this.dispatchEvent(Object.assign(new Event('result'), { results }));
  }
}

/** Gives the browser the name that it tells pages. */
const setBrand = (brand: string): void => {
  const value = { brands: [{ brand: 'Not?A_Brand' }, { brand: 'Chromium' }, { brand }] };
  Object.defineProperty(navigator, 'userAgentData', { value, configurable: true });
};

/** A speech synthesis that records what it is told to speak. */
class FakeSynthesis extends EventTarget {
  voices: { lang: string; localService: boolean }[] = [];
  spoken: SpeechSynthesisUtterance[] = [];
  getVoices = () => this.voices;
  speak = (utterance: SpeechSynthesisUtterance) => this.spoken.push(utterance);
  cancel = () => this.spoken.at(-1)?.dispatchEvent(new Event('end'));
}

describe('Dictation', () => {
  beforeEach(() => {
    FakeRecognition.state = 'available';
    FakeRecognition.asked = null;
    setBrand('Google Chrome');
    Object.defineProperty(window, 'SpeechRecognition', { value: FakeRecognition, configurable: true });
  });
  afterEach(async () => {
    await unmountAll();
    Reflect.deleteProperty(window, 'SpeechRecognition');
    Reflect.deleteProperty(navigator, 'userAgentData');
  });

  it('writes what it hears behind what is typed, until it is stopped', async () => {
    const { find } = await mount([], { speech: '', locale: 'en-GB' });
    type(find<HTMLTextAreaElement>('textarea'), 'Hello');
    const button = await until(() => find<HTMLButtonElement>('workspace-chat-dictation button'));
    expect(FakeRecognition.asked).to.deep.equal({ langs: ['en-GB'], processLocally: true });
    button.click();
    const recognition = FakeRecognition.last;
    expect(recognition.lang).to.equal('en-GB');
    expect(recognition.processLocally).to.equal(true);
    await until(() => button.getAttribute('aria-pressed') === 'true');
    recognition.hear('where is');
    recognition.hear('where is my ', 'order');
    await until(() => find<HTMLTextAreaElement>('textarea').value === 'Hello where is my order');
    button.click();
    await until(() => button.getAttribute('aria-pressed') === 'false');
  });

  it('ends when the visitor types or sends, and loses neither text', async () => {
    const { find } = await mount([streamed(started())], { speech: '' });
    const field = find<HTMLTextAreaElement>('textarea');
    const button = await until(() => find<HTMLButtonElement>('workspace-chat-dictation button'));
    button.click();
    FakeRecognition.last.hear('where is');
    await until(() => field.value === 'where is');
    type(field, 'where is order 1001');
    FakeRecognition.last.hear('where is my order');
    await until(() => button.getAttribute('aria-pressed') === 'false');
    expect(field.value).to.equal('where is order 1001');
    button.click();
    await until(() => button.getAttribute('aria-pressed') === 'true');
    press(field, 'Enter');
    await until(() => field.value === '');
    FakeRecognition.last.hear('and when');
    await until(() => button.getAttribute('aria-pressed') === 'false');
    expect(field.value).to.equal('');
  });

  it('is offered in the language that the visitor chooses, if the device knows that', async () => {
    const { element, find } = await mount([], { speech: '', locale: 'en' });
    const button = await until(() => find<HTMLButtonElement>('workspace-chat-dictation button'));
    button.click();
    FakeRecognition.state = 'unavailable';
    element.locale = 'ar';
    await until(() => !find('workspace-chat-dictation button'));
    FakeRecognition.last.hear('where is');
    expect(find<HTMLTextAreaElement>('textarea').value).to.equal('');
    FakeRecognition.state = 'available';
    element.locale = 'en';
    await until(() => find('workspace-chat-dictation button'));
  });

  it('is not offered where audio would leave the device, nor unless the page offers it', async () => {
    FakeRecognition.state = 'downloadable';
    const { find, findAll } = await mount([], { speech: '' });
    await until(() => find('workspace-chat-dictation')?.matches(':defined'));
    expect(findAll('workspace-chat-dictation button').length).to.equal(0);
    FakeRecognition.state = 'available';
    const other = await mount([]);
    expect(other.findAll('workspace-chat-dictation').length).to.equal(0);
  });

  it('asks nothing of an embedded Chromium, which may end the page that asks', async () => {
    setBrand('HeadlessChrome');
    const { find } = await mount([], { speech: '' });
    await until(() => find('workspace-chat-dictation')?.matches(':defined'));
    expect(FakeRecognition.asked).to.equal(null);
  });
});

describe('Reading aloud', () => {
  const original = Object.getOwnPropertyDescriptor(window, 'speechSynthesis');
  let synthesis = new FakeSynthesis();
  beforeEach(() => {
    synthesis = new FakeSynthesis();
    Object.defineProperty(window, 'speechSynthesis', { value: synthesis, configurable: true });
  });
  afterEach(async () => {
    await unmountAll();
    if (original) Object.defineProperty(window, 'speechSynthesis', original);
    else Reflect.deleteProperty(window, 'speechSynthesis');
  });

  it('speaks a reply as plain text with a voice of the device, and stops at the second click', async () => {
    const { element, find, findAll } = await mount([streamed(started())], { speech: '' });
    await element.send('Hi');
    await until(() => find('workspace-chat-read-aloud')?.matches(':defined'));
    expect(findAll('.read-aloud').length).to.equal(0);
    synthesis.voices = [
      { lang: 'en-US', localService: false },
      { lang: 'de-DE', localService: true },
      { lang: 'en_GB', localService: true },
    ];
    synthesis.dispatchEvent(new Event('voiceschanged'));
    const button = await until(() => find<HTMLButtonElement>('.read-aloud'));
    // A fake voice cannot be assigned to an utterance of the browser.
    const { voice } = Object.getOwnPropertyDescriptors(SpeechSynthesisUtterance.prototype);
    const used: unknown[] = [];
    Object.defineProperty(SpeechSynthesisUtterance.prototype, 'voice', {
      set: (value) => {
        used.push(value);
      },
      configurable: true,
    });
    try {
      button.click();
    } finally {
      Object.defineProperty(SpeechSynthesisUtterance.prototype, 'voice', voice);
    }
    expect(used).to.deep.equal([synthesis.voices[2]]);
    expect(synthesis.spoken.map(({ text }) => text)).to.deep.equal(['Hello there']);
    await until(() => button.getAttribute('aria-pressed') === 'true');
    button.click();
    await until(() => button.getAttribute('aria-pressed') === 'false');
    expect(synthesis.spoken.length).to.equal(1);
    // What a person wrote is not Markdown.
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: 'Use *this* code.' });
    const other = await until(() => findAll<HTMLButtonElement>('.read-aloud')[1]);
    Object.defineProperty(SpeechSynthesisUtterance.prototype, 'voice', { set() {}, configurable: true });
    try {
      other.click();
    } finally {
      Object.defineProperty(SpeechSynthesisUtterance.prototype, 'voice', voice);
    }
    expect(synthesis.spoken.at(-1)!.text).to.equal('Use *this* code.');
  });
});
