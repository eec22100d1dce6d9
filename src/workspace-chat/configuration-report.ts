/** The sentences about configuration problems, and the styles of the sentence for visitors. Loaded with the first problem. */
import { css } from 'lit';

export { describeProblem, unavailable } from '../locale/configuration-problems.ts';
export { adoptStyles } from '../styles/adopt-styles.ts';

export const problemStyles = css`
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
