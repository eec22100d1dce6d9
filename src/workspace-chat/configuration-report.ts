/** Reports what is wrong with an element's configuration, to its owner and to visitors. Loaded with the first problem. */
import { css, type LitElement } from 'lit';
import type { Configuration } from '../chat/configuration.ts';
import type { Language } from '../locale/language.ts';
import { describeProblem, unavailable } from '../locale/configuration-problems.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';
import { WorkspaceChatErrorEvent } from './events.ts';

/** The element, as the report sees it. */
export interface ConfigurationHost {
  readonly element: LitElement & Configuration;
  /** The sentence that visitors see in place of the panel. Null while it is not loaded. */
  unavailable: Record<Language, string> | null;
  dispatch(event: Event): boolean;
}

const problemStyles = css`
  .launcher-box .problem {
    position: absolute;
    inset-block-end: calc(100% + 0.75em);
    inset-inline-end: 0;
    inline-size: max-content;
    max-inline-size: min(20em, 100vw - 2 * var(--_offset-x));
    margin: 0;
    padding: 0.75em 1em;
    border-radius: 0.75em;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    font-size: 0.875em;
  }

  p.problem {
    color: var(--_danger);
  }
`;

/** The problem of each element that was reported last. */
const reported = new WeakMap<ConfigurationHost, string>();

/** Describes the problem, if there is one, in the console and in an event, once. */
export const reportProblem = (host: ConfigurationHost): void => {
  const { element } = host;
  const problem = describeProblem(element);
  if (!problem || problem === reported.get(host)) return;
  reported.set(host, problem);
  console.error(problem);
  host.unavailable = unavailable;
  adoptStyles(element.shadowRoot!, problemStyles);
  element.requestUpdate();
  host.dispatch(new WorkspaceChatErrorEvent('configuration'));
};
