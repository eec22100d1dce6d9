/** Dictation and reading aloud, with the browser's own voices and on the device only. Loaded when the page offers them. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { AgentMessage } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { adopt } from '../styles/adopt.ts';
import { spokenText } from './message-text.ts';
import { defineElements } from './define-elements.ts';
import { icon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

/** What is used of the browser's speech recognition, which TypeScript's library does not have yet. */
interface Recognition extends EventTarget {
  lang: string;
  interimResults: boolean;
  processLocally: boolean;
  start(): void;
  abort(): void;
}

interface RecognitionConstructor {
  new (): Recognition;
  available?(options: { langs: string[]; processLocally: boolean }): Promise<string>;
}

/** The part of the client hints that is used, which TypeScript's library does not have. */
interface BrandedNavigator {
  userAgentData?: { brands: { brand: string }[] };
}

type RecognitionEvent = Event & { readonly results: Iterable<ArrayLike<{ transcript: string }>> };

const microphoneIcon = icon(
  'M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V21',
);
const speakerIcon = icon('M4 9.5v5h3.500L12 18V6L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11');

const speechStyles = css`
  workspace-chat-dictation,
  workspace-chat-read-aloud {
    display: contents;
  }

  .meta .read-aloud {
    grid-row: 1;
  }

  [part~='speech'][aria-pressed='true'] {
    color: var(--_accent-text);
  }
`;

/**
 * Whether the browser may be asked for recognition on the device. Only these have it, and a Chromium that is embedded in an
 * application may end the page that asks: Electron did until August 2026.
 */
const mayRecognize = (): boolean =>
  (navigator as BrandedNavigator).userAgentData?.brands.some(({ brand }) =>
    /^(Google Chrome|Microsoft Edge)$/.test(brand),
  ) ?? false;

/** Returns the recognition if it runs on the device in this language, so that no audio leaves it, or null. */
const localRecognition = async (tag: string): Promise<RecognitionConstructor | null> => {
  const { SpeechRecognition } = globalThis as { SpeechRecognition?: RecognitionConstructor };
  if (!mayRecognize()) return null;
  try {
    const state = await SpeechRecognition?.available?.({ langs: [tag], processLocally: true });
    return state === 'available' ? SpeechRecognition! : null;
  } catch {
    return null;
  }
};

/** Returns a voice of the device for a language, or undefined. */
const localVoice = (tag: string): SpeechSynthesisVoice | undefined => {
  const language = tag.split('-')[0]!.toLowerCase();
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.find(({ lang, localService }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language);
};

/** The button in the composer. */
class DictationElement extends PrivateElement {
  static override properties = { recognition: { state: true }, isListening: { state: true } };

  /** Null where the browser cannot recognize speech on the device. */
  declare recognition: RecognitionConstructor | null;
  declare isListening: boolean;
  readonly #chat = new StoreController(this);
  /** The BCP 47 tag of the language that the recognition is for. */
  #tag = '';
  #running: Recognition | null = null;

  constructor() {
    super();
    this.recognition = null;
    this.isListening = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
  }

  protected override willUpdate(): void {
    const { languageTag } = this.#chat.view;
    if (languageTag !== this.#tag) void this.#prepare(languageTag);
  }

  /** Looks for a recognition in the chat's language, and ends the one in the former language. */
  async #prepare(tag: string): Promise<void> {
    this.#tag = tag;
    this.#running?.abort();
    const recognition = await localRecognition(tag);
    if (tag === this.#tag) this.recognition = recognition;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.recognition) return nothing;
    const { dictate } = this.#chat.strings;
    return html`<button
      class="icon-button"
      part="icon-button speech"
      type="button"
      title=${dictate}
      aria-pressed=${this.isListening}
      @click=${this.#toggle}
    >
      ${microphoneIcon}
    </button>`;
  }

  readonly #toggle = (): void => {
    if (this.#running) this.#running.abort();
    else this.#listen(new this.recognition!());
  };

  #listen(recognition: Recognition): void {
    const { conversation } = this.#chat.chat;
    // The draft as dictation found or wrote it. A visitor who types or sends meanwhile ends the dictation.
    let { draft } = conversation.store.state;
    const typed = draft && !/\s$/.test(draft) ? `${draft} ` : draft;
    recognition.lang = this.#tag;
    recognition.interimResults = true;
    recognition.processLocally = true;
    recognition.addEventListener('result', (event) => {
      const spoken = [...(event as RecognitionEvent).results].map((result) => result[0]!.transcript).join('');
      if (conversation.store.state.draft !== draft) return recognition.abort();
      draft = typed + spoken;
      conversation.setDraft(draft);
    });
    // Follows an error, too: the visitor may have refused the microphone.
    recognition.addEventListener('end', () => {
      this.#running = null;
      this.isListening = false;
    });
    this.#running = recognition;
    this.isListening = true;
    recognition.start();
  }
}

/** The button below a reply. */
class ReadAloudElement extends PrivateElement {
  static override properties = {
    message: { attribute: false },
    tag: { attribute: false },
    isSpeaking: { state: true },
  };

  declare message: AgentMessage;
  /** The BCP 47 tag of its language. */
  declare tag: string;
  declare isSpeaking: boolean;
  readonly #chat = new StoreController(this);

  constructor() {
    super();
    this.isSpeaking = false;
  }

  protected override onConnected(): void {
    // The browser may list its voices later.
    const onVoices = () => this.requestUpdate();
    globalThis.speechSynthesis?.addEventListener('voiceschanged', onVoices, { signal: this.connection });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.isSpeaking) speechSynthesis.cancel();
  }

  protected override render(): TemplateResult | typeof nothing {
    const voice = localVoice(this.tag);
    if (!voice) return nothing;
    const { readAloud } = this.#chat.strings;
    return html`<button
      class="icon-button read-aloud"
      part="icon-button speech"
      title=${readAloud}
      aria-pressed=${this.isSpeaking}
      @click=${() => this.#toggle(voice)}
    >
      ${speakerIcon}
    </button>`;
  }

  #toggle(voice: SpeechSynthesisVoice): void {
    const wasSpeaking = this.isSpeaking;
    // Ends another reply that is being read.
    speechSynthesis.cancel();
    if (wasSpeaking) return;
    const utterance = new SpeechSynthesisUtterance(spokenText(this.message));
    utterance.voice = voice;
    utterance.lang = voice.lang;
    for (const end of ['end', 'error'])
      utterance.addEventListener(end, () => {
        this.isSpeaking = false;
      });
    this.isSpeaking = true;
    speechSynthesis.speak(utterance);
  }
}

/** Adds the styles of the buttons to a panel, and defines them. Those that are on the page already work from now on. */
export const addSpeech = (root: ShadowRoot): void => {
  adopt(root, speechStyles.styleSheet!);
  defineElements({
    'workspace-chat-dictation': DictationElement,
    'workspace-chat-read-aloud': ReadAloudElement,
  });
};
