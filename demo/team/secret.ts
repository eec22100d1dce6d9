/** Shows a new key or secret, which the service returns only once. */
import { html, nothing } from 'lit';
import { state } from './state.ts';

export const secretOf = (of: string) => {
  if (state.secret?.of !== of) return nothing;
  return html`<p class="secret">
    <output>${state.secret.value}</output>
    <small>Copy it now: it is not shown again.</small>
  </p>`;
};
