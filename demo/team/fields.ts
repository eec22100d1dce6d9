/** An editor for a list of fields or rules, which are saved together. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { act, page } from './state.ts';

export interface Column {
  name: string;
  label: string;
  /** The choices of a select, `tick` for a checkbox, `list` for text with commas. Plain text by default. */
  kind?: readonly string[] | 'tick' | 'list';
  required?: boolean;
}

type Row = Record<string, unknown>;

/** The unsaved changes, by the id of the list. */
const drafts = new Map<string, Row[]>();

export const editor = (
  { id, name }: { id: string; name: string },
  saved: Row[],
  columns: Column[],
  save: (rows: Row[]) => Promise<unknown>,
): TemplateResult => {
  const lists = columns.filter(({ kind }) => kind === 'list').map((column) => column.name);
  const each = (row: Row, change: (value: unknown) => unknown) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, lists.includes(key) ? change(value) : value]));
  // A list stays text while it is edited. Parsing it on each input would remove the comma that was just typed.
  const rows = drafts.get(id) ?? saved.map((row) => each(row, (list) => (list as string[]).join(', ')));
  const parsed = () =>
    rows.map((row) =>
      each(row, (list) =>
        String(list)
          .split(/[,،]/)
          .map((one) => one.trim())
          .filter(Boolean),
      ),
    );
  const edit = (changed: Row[]) => {
    drafts.set(id, changed);
    page.render();
  };
  const set = (at: number, column: string, value: unknown) =>
    edit(rows.map((row, index) => (index === at ? { ...row, [column]: value } : row)));
  const up = (at: number) =>
    edit(rows.flatMap((row, index) => (index === at ? [] : index === at - 1 ? [rows[at]!, row] : [row])));
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await act('Saved.', () => save(parsed()).then(() => drafts.delete(id)))) page.render();
  };
  const fresh = () =>
    Object.fromEntries(
      columns.map(({ name: column, kind }) => [column, kind === 'tick' ? false : Array.isArray(kind) ? kind[0] : '']),
    );
  return html`<form class="editor" aria-label=${name} @submit=${submit}>
    ${rows.map(
      (row, at) =>
        html`<fieldset>
          <legend class="away">${name} ${at + 1}</legend>
          ${columns.map((column) => cell(column, row[column.name], (value) => set(at, column.name, value)))}
          <span class="row tools">
            <button type="button" aria-label="Move ${at + 1} up" ?disabled=${at === 0} @click=${() => up(at)}>↑</button>
            <button
              type="button"
              aria-label="Remove ${at + 1}"
              @click=${() => edit(rows.filter((_row, index) => index !== at))}
            >
              ×
            </button>
          </span>
        </fieldset>`,
    )}
    <span class="row">
      <button type="button" @click=${() => edit([...rows, fresh()])}>Add</button>
      <button class="main" ?disabled=${!drafts.has(id)}>Save</button>
    </span>
  </form>`;
};

const cell = ({ label, kind, required }: Column, value: unknown, set: (value: unknown) => void) => {
  const onInput = (event: Event) => {
    const { value: written, checked } = event.currentTarget as HTMLInputElement;
    set(kind === 'tick' ? checked : written);
  };
  if (kind === 'tick') {
    return html`<label class="tick"
      ><input type="checkbox" .checked=${live(value === true)} @input=${onInput} /> ${label}</label
    >`;
  }
  if (kind && kind !== 'list') {
    return html`<label>
      ${label}
      <select @input=${onInput}>
        ${kind.map((option) => html`<option value=${option} .selected=${live(option === value)}>${option.replaceAll('_', ' ')}</option>`)}
      </select>
    </label>`;
  }
  const shown = typeof value === 'string' ? value : '';
  return html`<label
    >${label} <input dir="auto" .value=${live(shown)} ?required=${required ?? false} @input=${onInput}
  /></label>`;
};
