/** Shows the client tools that a reply used, and the prompts that ask for the visitor's consent. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { isBusy, type ToolRun } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { textIn } from '../locale/strings.ts';
import { consentQuestion, timeLeftText, toolTitle } from '../locale/tool-text.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { askAgain } from './message-problem.ts';
import { PrivateElement } from './private-element.ts';

/**
 * Milliseconds in which the prompts ignore clicks after one has appeared, or has been answered: another one may have moved under
 * the visitor's finger, unread.
 */
const minReadingTime = 400;
const shownAt = new WeakMap<EventTarget, number>();

/** Records when the prompt appeared: at the start of its animation. */
const recordAppearance = (event: Event) => {
  if (event.currentTarget) shownAt.set(event.currentTarget, event.timeStamp);
};

const onDecision = (decide: (isGiven: boolean) => void, isGiven: boolean) => (event: Event) => {
  const prompt = (event.currentTarget as Element).closest('.tool-prompt');
  const appearedAt = prompt && shownAt.get(prompt);
  if (typeof appearedAt === 'number' && event.timeStamp - appearedAt >= minReadingTime) decide(isGiven);
};

const isAsked = ({ phase }: ToolRun): boolean => phase === 'asked';

const toolRun = (
  run: ToolRun,
  view: ViewState,
  decide: (isGiven: boolean) => void,
  again: TemplateResult,
): TemplateResult => {
  const { callId, phase, values = [], isExpiring, isTimedOut } = run;
  const { strings } = view;
  if (isTimedOut) return html`<p class="tool tool-failed" part="tool">${strings.questionTimedOut} ${again}</p>`;
  if (phase !== 'asked')
    return html`<p class="tool tool-${phase}" part="tool">${strings.tools[phase](toolTitle(run, view))}</p>`;
  const text = consentQuestion(run, view);
  return html`
    <div
      class="tool-prompt"
      part="tool-prompt"
      role="group"
      aria-label=${text}
      aria-describedby="tool-${callId}"
      @animationstart=${recordAppearance}
    >
      <p dir=${directionOfText(text)}>${text}</p>
      <dl id="tool-${callId}">
        ${values.map(([label, value]) => {
          const [name, shown] = [textIn(label, view.language), value].map(
            (each) => html`<span dir=${directionOfText(each, view.dir)}>${renderRuns(each)}</span>`,
          );
          return html`<div>
            <dt>${name}</dt>
            <dd>${shown}</dd>
          </div>`;
        })}
      </dl>
      ${isExpiring ? html`<small>${timeLeftText(run, view)}</small>` : nothing}
      <div class="actions">
        <button class="button primary" part="button" @click=${onDecision(decide, true)}>${strings.allow}</button>
        <button class="button" part="button" @click=${onDecision(decide, false)}>${strings.refuse}</button>
      </div>
    </div>
  `;
};

export const toolRunStyles = css`
  workspace-chat-tools {
    display: contents;
  }

  .tool {
    padding-inline: 0.25em;
    font-size: 0.8125em;
    color: var(--_muted);
  }

  .tool-failed,
  .tool-refused {
    color: var(--_warning);
  }

  .tool-prompt {
    display: grid;
    gap: 0.6em;
    padding: 0.8em 0.9em;
    border: 1px solid var(--_border);
    border-radius: var(--_bubble-radius);
    background: var(--_surface);
    /* The start event of this animation tells when the prompt appeared: see recordAppearance. */
    animation: tool-prompt 1ms;
  }

  .tool-prompt p {
    font-weight: 600;
  }

  .tool-prompt dl {
    display: grid;
    gap: 0.2em;
    font-size: 0.875em;
  }

  .tool-prompt dl div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5em;
  }

  .tool-prompt small {
    color: var(--_warning);
    font-variant-numeric: tabular-nums;
  }

  .tool-prompt dt {
    color: var(--_muted);
  }

  @keyframes tool-prompt {
    from {
      opacity: 0;
    }
  }
`;

export class ToolRunsElement extends PrivateElement {
  static override properties = { runs: { attribute: false } };

  declare runs: readonly ToolRun[];
  readonly #store = new StoreController(this, (state) => ({ isBusy: isBusy(state) }));
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): unknown {
    const { chat, strings, slice } = this.#store;
    const { conversation, view } = chat;
    const again = html`<button class="text-button" ?disabled=${slice.isBusy} @click=${this.#askAgain}>
      ${strings.askAgain}
    </button>`;
    clearTimeout(this.#timer);
    // The time that is left is shown for the last half of it.
    if (this.runs.some(({ isExpiring }) => isExpiring)) this.#timer = setTimeout(() => this.requestUpdate(), 1000);
    // The elements of a prompt never become those of another one.
    return repeat(
      this.runs,
      ({ callId }) => callId,
      (run) => toolRun(run, view.state, (isGiven) => conversation.consent(run.callId, isGiven), again),
    );
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('runs')?.filter(isAsked).length ?? 0;
    // The prompts below a question that has ended have moved.
    if (before > this.runs.filter(isAsked).length)
      for (const prompt of this.querySelectorAll('.tool-prompt')) shownAt.set(prompt, performance.now());
  }

  readonly #askAgain = (): void => {
    const { message } = this.closest('workspace-chat-message')!;
    if (message) askAgain(this.#store.chat, message.key);
  };
}
