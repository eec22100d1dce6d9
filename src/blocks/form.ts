/** A form block: validated by the browser, with messages in the widget's language, submitted once. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { FormBlock, FormField } from '../../contract/wire.ts';
import type { FormDraft } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { isolatedNumbers } from '../locale/isolated-numbers.ts';
import { directionOfText, joinTexts, renderRuns } from '../markdown/index.ts';
import { languageOf, localize, own, type BlockContext } from './block-context.ts';
import {
  fromMessage,
  isSecret,
  labelOf,
  problemOf,
  toMessage,
  toValue,
  valueFormat,
  type FieldProblem,
  type Validity,
} from './form-fields.ts';
import { chosenMark, frame, rows } from './frame.ts';

type Control = HTMLInputElement | HTMLSelectElement;

interface Input {
  readonly type: string;
  readonly autocomplete: string;
  readonly inputmode?: string;
}

/**
 * The attributes of the input by field kind, for the right keyboard and suggestions on a phone. A number is a text field: an input of
 * the type `number` understands the digits and separators of one language only, and gives no value for all others.
 */
const inputs: Readonly<Record<string, Input>> = {
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  number: { type: 'text', autocomplete: 'off', inputmode: 'decimal' },
  date: { type: 'date', autocomplete: 'off' },
};

/** Returns the validity of a value as it is sent. The browser knows what an e-mail address is. */
const validityOf = (field: FormField, control: Control, value: string): Validity => {
  if (field.kind !== 'email') return control.validity;
  const probe = document.createElement('input');
  probe.type = 'email';
  probe.value = value;
  return probe.validity;
};

export class FormElement extends LitElement {
  static override properties: PropertyDeclarations = {
    block: { attribute: false },
    context: { attribute: false },
    problems: { state: true },
  };

  declare block: FormBlock;
  declare context: BlockContext;
  declare problems: Readonly<Record<string, FieldProblem | null>>;
  readonly #draft = new StoreController(this, ({ formDrafts }) => ({ draft: formDrafts[this.context.key] }));

  constructor() {
    super();
    this.problems = {};
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { block, context } = this;
    const { submitted } = context;
    const content = submitted === null ? this.#renderForm() : this.#renderSent(submitted);
    return frame(context, 'form', localize(block.title, context), content);
  }

  protected override updated(): void {
    if (this.context.submitted !== null) return;
    for (const field of this.#fields) {
      const control = this.#control(field);
      const value = own(this.#values, field.key) ?? '';
      // Set here and not in the template: Lit would not notice that the visitor has changed the field's value.
      if (control.value !== value) control.value = value;
    }
  }

  get #values(): FormDraft {
    return this.#draft.slice.draft ?? {};
  }

  get #fields(): FormField[] {
    const { fields } = this.block;
    const isFirst = (field: FormField) => fields.find(({ key }) => key === field.key) === field;
    return fields.filter((field) => isFirst(field) && !isSecret(field));
  }

  #renderSent(submitted: string): TemplateResult {
    const { context, block } = this;
    return html`${rows(context, fromMessage(submitted, block.fields, context.view.languageTag))}<small
        >${chosenMark(context)}${context.view.strings.sent}</small
      >`;
  }

  #renderForm(): TemplateResult {
    const { block, context } = this;
    const { strings, language } = context.view;
    const left = block.fields.filter(isSecret).map((field) => labelOf(field, language));
    return html`
      <form
        class="own-form"
        part="form"
        novalidate
        @submit=${this.#onSubmit}
        @input=${this.#onInput}
        @change=${this.#onInput}
      >
        ${this.#fields.map((field, index) => this.#renderField(field, index))}
        ${left.length > 0 ? html`<small>${strings.noSecrets(joinTexts(left))}</small>` : nothing}
        ${
          left.length < block.fields.length
            ? html`<button class="button primary" part="button" ?disabled=${context.isBusy}>
                ${renderRuns(localize(block.submit_label, context) || strings.send)}
              </button>`
            : nothing
        }
      </form>
    `;
  }

  #renderField(field: FormField, index: number): TemplateResult {
    const { context, problems } = this;
    const { strings, language } = context.view;
    const id = `${context.key}-${index}`;
    const label = labelOf(field, language);
    const problem = own(problems, field.key);
    return html`
      <div class="form-field">
        <label for=${id} dir=${directionOfText(label)} lang=${languageOf(label, context)}
          >${renderRuns(label)}${field.required ? nothing : html` <small>${strings.optional}</small>`}</label
        >
        ${this.#renderControl(field, id, problem ? `${id}-problem` : nothing)}
        ${problem ? html`<small class="field-problem" id="${id}-problem">${strings.fieldProblems[problem]}</small>` : nothing}
      </div>
    `;
  }

  #renderControl(field: FormField, id: string, problemId: string | typeof nothing): TemplateResult {
    const { context } = this;
    const { key, kind, options, required } = field;
    const { dir, strings } = context.view;
    const value = own(this.#values, key) ?? '';
    const isInvalid = problemId !== nothing;
    if (kind === 'select' && options.length > 0) {
      return html`<select
        part="field"
        id=${id}
        ?required=${required}
        aria-invalid=${isInvalid}
        aria-describedby=${problemId}
      >
        <option value="">${strings.select}</option>
        ${options.map((option) => html`<option lang=${languageOf(option, context)}>${option}</option>`)}
      </select>`;
    }
    // Addresses are left to right in Arabic as well.
    const isAddress = /mail|url|web/i.test(`${key} ${kind}`);
    const known = own(inputs, kind);
    const { type, autocomplete, inputmode } = known ?? {
      type: 'text',
      autocomplete: /^(full_?)?name$/i.test(key) ? 'name' : 'off',
      inputmode: undefined,
    };
    return html`<input
      part="field"
      id=${id}
      type=${type}
      inputmode=${inputmode ?? nothing}
      maxlength="1000"
      autocomplete=${autocomplete}
      dir=${known || isAddress ? 'ltr' : value ? 'auto' : dir}
      placeholder=${isolatedNumbers(localize(field.placeholder, context)) || nothing}
      ?required=${required}
      aria-invalid=${isInvalid}
      aria-describedby=${problemId}
    />`;
  }

  get #controls(): Control[] {
    return [...this.querySelectorAll<Control>('[part=field]')];
  }

  /** Finds a control by its position. Controls have no names: they would hide members of the form, such as `remove`. */
  #control(field: FormField): Control {
    return this.#controls[this.#fields.indexOf(field)]!;
  }

  #problem(field: FormField): FieldProblem | null {
    const { languageTag } = this.context.view;
    const control = this.#control(field);
    const sent = toValue(field, control.value, languageTag);
    return problemOf(field, control.value, validityOf(field, control, sent), languageTag);
  }

  /** Handles `change` too, the only event of some password managers: the next render would remove what they have filled in. */
  readonly #onInput = ({ target }: Event): void => {
    const control = target as Control;
    const field = this.#fields[this.#controls.indexOf(control)]!;
    const draft = { ...this.#values, [field.key]: control.value };
    this.#draft.chat.conversation.store.dispatch({ type: 'form-drafted', key: this.context.key, draft });
    // A reported problem is validated again at each input. Other fields are validated when the form is submitted.
    if (own(this.problems, field.key)) this.problems = { ...this.problems, [field.key]: this.#problem(field) };
  };

  readonly #onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { block, context } = this;
    const fields = this.#fields;
    const { language, languageTag } = context.view;
    const entries = fields.map(
      (field) => [field.key, toValue(field, this.#control(field).value, languageTag)] as const,
    );
    const data = Object.fromEntries(entries);
    const text = toMessage(fields, data, language);
    const label = toMessage(fields, data, language, valueFormat(languageTag));
    this.problems = Object.fromEntries(fields.map((field) => [field.key, this.#problem(field)]));
    let wrong = fields.find(({ key }) => own(this.problems, key));
    if (!text && !wrong) {
      // A form without required fields must still have one value.
      [wrong] = fields;
      this.problems = { [wrong!.key]: 'required' };
    }
    await this.updateComplete;
    if (wrong) this.#control(wrong).focus();
    else context.submit(text, { label, form: { block, data } });
  };
}
