/** Sends the transcript to the visitor by e-mail, through the site's own backend. Loaded when the page has `transcript-url`. */
import { html, nothing, type TemplateResult } from 'lit';
import { toJson } from '../api/encoding.ts';
import { proofOf } from '../chat/identity.ts';
import { adopt } from '../styles/adopt.ts';
import { defineElements } from './define-elements.ts';
import { SheetElement, sheetStyles } from './sheet.ts';

/** The timeout of the site's backend, in milliseconds. */
const timeout = 30_000;

class MailElement extends SheetElement {
  static override properties = { step: { state: true }, address: { state: true } };

  declare step: 'asking' | 'sending' | 'sent' | 'refused' | 'failed' | 'required' | 'email';
  declare address: string;

  constructor() {
    super();
    this.step = 'asking';
    this.address = '';
  }

  protected override render(): TemplateResult {
    const { mail, history, send, fieldProblems } = this.store.strings;
    const { step } = this;
    const isInvalid = step === 'required' || step === 'email';
    const problem = isInvalid ? fieldProblems[step] : step === 'refused' || step === 'failed' ? mail[step] : '';
    const isSent = step === 'sent';
    // The regions stay in the document, so that their texts are announced.
    const content = html`${
        isSent
          ? nothing
          : html`<form class="own-form" novalidate @submit=${this.#onSubmit}>
              <label>
                ${mail.address}
                <input
                  type="email"
                  name="email"
                  dir="ltr"
                  required
                  autocomplete="email"
                  aria-invalid=${isInvalid}
                  aria-describedby=${problem ? 'mail-problem' : nothing}
                />
              </label>
              <p class="problem" id="mail-problem" role="alert">${problem}</p>
              <button class="button primary" part="button" ?disabled=${step === 'sending'}>${send}</button>
            </form>`
      }
      <p role="status">${isSent ? mail.sent(this.address) : ''}</p>`;
    return this.frame(mail.offer, history.back, content);
  }

  readonly #onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const input = this.querySelector('input')!;
    if (!input.validity.valid) {
      this.step = input.validity.valueMissing ? 'required' : 'email';
      input.focus();
      return;
    }
    this.address = input.value;
    this.step = 'sending';
    this.step = await this.#send().catch(() => 'failed' as const);
  };

  async #send(): Promise<'sent' | 'refused' | 'failed'> {
    const { conversation, view } = this.store.chat;
    const { credentials } = conversation;
    if (!credentials) return 'failed';
    const { status, ok } = await fetch(view.state.transcriptUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-conversation-proof': await proofOf(credentials.token) },
      body: toJson({
        conversation_id: credentials.conversationId,
        email: this.address,
        language: view.state.locale,
      }),
      // A redirected POST is a login page, whose status says nothing about the transcript.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (ok) return 'sent';
    return status === 403 ? 'refused' : 'failed';
  }
}

/** Adds the styles of the page to a panel, and defines it. */
export const addMail = (root: ShadowRoot): void => {
  adopt(root, sheetStyles.styleSheet!);
  defineElements({ 'workspace-chat-mail': MailElement });
};
