/** The styles of formulas: what Temml's own style sheet adds to MathML, without its fonts. */
import { css } from 'lit';

export const mathStyles = css`
  .md-math {
    font-style: normal;
    unicode-bidi: isolate;

    math {
      direction: ltr;
      font-family: 'Cambria Math', 'STIX Two Math', 'Noto Sans Math', math;
      font-weight: normal;
      font-style: normal;
      line-height: normal;
      letter-spacing: normal;
      overflow-wrap: normal;
    }

    /* A color of the formula could have too little contrast. */
    math * {
      border-color: currentcolor !important;
      background: none !important;
      color: inherit !important;
    }

    mfrac > :nth-child(2),
    msqrt,
    mover > :first-child {
      math-shift: compact;
    }

    .tml-right {
      text-align: -webkit-right;
    }

    .tml-left {
      text-align: -webkit-left;
    }

    @supports (-moz-appearance: none) {
      .tml-right {
        text-align: end;
      }

      .tml-left {
        text-align: start;
      }
    }

    menclose {
      position: relative;
      padding: 0.5ex 0;
    }

    .tml-cancel {
      position: absolute;
      inset-block-end: 0;
      inset-inline-start: 0.5px;
      inline-size: 100%;
      block-size: 100%;
      background: currentcolor !important;
    }

    .upstrike {
      clip-path: polygon(0.05em 100%, 0 calc(100% - 0.05em), calc(100% - 0.05em) 0, 100% 0.05em);
    }

    .downstrike {
      clip-path: polygon(0 0.05em, 0.05em 0, 100% calc(100% - 0.05em), calc(100% - 0.05em) 100%);
    }

    .sout {
      clip-path: polygon(0 calc(55% + 0.03em), 0 calc(55% - 0.03em), 100% calc(55% - 0.03em), 100% calc(55% + 0.03em));
    }

    .tml-overline {
      padding-block-start: 0.1em;
      border-block-start: 0.065em solid;
    }

    .tml-underline {
      padding-block-end: 0.1em;
      border-block-end: 0.065em solid;
    }

    .tml-fbox {
      padding: 3pt;
      border: 1px solid;
    }
  }

  .md-math:has(math) {
    white-space: nowrap;
  }

  .md-math.block:has(math) {
    display: block;
    margin-block: 0.5em;
    overflow: auto hidden;
    text-align: center;
  }

  .md-math:focus-visible {
    outline: 2px solid var(--_accent-text);
    outline-offset: -2px;
  }
`;
