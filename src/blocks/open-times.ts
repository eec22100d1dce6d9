/** An open times block: a grid with a row for each day, navigated with the arrow keys. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { OpenTimesBlock } from '../../contract/wire.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { localize, type BlockContext } from './block-context.ts';
import { choose, chosenMark, frame } from './frame.ts';
import { slotText, toDays, zoneName, type Slot, type Zones } from './slots.ts';

/** The number of times that are shown at first. */
const shown = 9;

/** Returns the nearest button in the visual line above or below. */
const inNextLine = (buttons: readonly HTMLElement[], from: HTMLElement, isDown: boolean): HTMLElement | undefined => {
  const start = from.getBoundingClientRect();
  const found = buttons.flatMap((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const down = isDown ? top - start.bottom : start.top - bottom;
    const across = Math.abs(left + right - start.left - start.right);
    return down < -1 ? [] : { button, rank: Math.round(down) * 10_000 + across };
  });
  return found.sort((one, other) => one.rank - other.rank)[0]?.button;
};

export class OpenTimesElement extends LitElement {
  static override properties = {
    block: { attribute: false },
    context: { attribute: false },
    isExpanded: { state: true },
    active: { state: true },
  };

  declare block: OpenTimesBlock;
  declare context: BlockContext;
  declare isExpanded: boolean;
  /** The index of the slot in the tab order (roving tabindex). */
  declare active: number;

  constructor() {
    super();
    this.isExpanded = false;
    this.active = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { block, context } = this;
    return frame(context, 'times', localize(block.title, context), this.#content());
  }

  get #zones(): Zones {
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
    return { tag: this.context.view.languageTag, zone, place: this.block.timezone };
  }

  #content(): TemplateResult {
    const { block, context, isExpanded } = this;
    const { submitted, view } = context;
    if (submitted !== null) {
      const text = submitted.split('\n')[0]!;
      return html`<p dir=${directionOfText(text)}>${chosenMark(context)}${renderRuns(text)}</p>`;
    }
    const zones = this.#zones;
    const days = toDays(block.times, zones);
    const isShort = isExpanded || block.times.length <= shown;
    const abroad = days.flatMap(({ slots }) => slots).find(({ placeLabel }) => placeLabel);
    let count = 0;
    const rows = days.map(({ label, slots }) => {
      const cells = slots.map((slot) => (isShort || count < shown ? this.#cell(slot, count++, zones) : nothing));
      return cells[0] === nothing
        ? nothing
        : html`<div role="row" class="day">
            <small role="rowheader">${label}</small><span role="none" class="times">${cells}</span>
          </div>`;
    });
    return html`
      ${abroad ? html`<small>${view.strings.twoTimes(zoneName(abroad.at, zones))}</small>` : nothing}
      <div role="grid" aria-labelledby="block-${context.key}" @keydown=${this.#onKeydown}>${rows}</div>
      ${isShort ? nothing : html`<button class="text-button" @click=${this.#onMore}>${view.strings.moreTimes}</button>`}
    `;
  }

  #cell({ start, at, label, placeLabel }: Slot, index: number, zones: Zones): TemplateResult {
    const { context } = this;
    return html`<span role="gridcell"
      ><button
        class="button"
        part="time"
        tabindex=${index === this.active ? 0 : -1}
        ?disabled=${context.isBusy}
        @focus=${() => {
          this.active = index;
        }}
        @click=${choose(context, `${slotText(at, zones)}\n${start}`, slotText(at, zones))}
      >
        <bdi>${label}</bdi>${placeLabel ? html` <small>${placeLabel}</small>` : nothing}
      </button></span
    >`;
  }

  get #buttons(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[part=time]')];
  }

  readonly #onMore = async (): Promise<void> => {
    this.isExpanded = true;
    await this.updateComplete;
    this.#buttons[shown]?.focus();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const all = this.#buttons;
    const from = event.target as HTMLElement;
    const place = all.indexOf(from);
    const day = [...from.closest('.day')!.querySelectorAll<HTMLElement>('button')];
    const line = event.ctrlKey ? all : day;
    const forward = this.context.view.dir === 'rtl' ? -1 : 1;
    const moves: Record<string, () => HTMLElement | undefined> = {
      ArrowRight: () => all[place + forward],
      ArrowLeft: () => all[place - forward],
      ArrowDown: () => inNextLine(all, from, true),
      ArrowUp: () => inNextLine(all, from, false),
      Home: () => line[0],
      End: () => line.at(-1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move()?.focus();
  };
}
