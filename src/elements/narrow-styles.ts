/** The styles of a narrow panel with large text, which needs the whole width. They follow the styles that they replace. */
import { css } from 'lit';

export const narrowStyles = css`
  @container (width < 20.25em) {
    .block-rows {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  @container (width < 15em) {
    :is(.header, .message, .welcome) .avatar {
      display: none;
    }

    .header {
      padding-inline: 0.4em 0;
    }

    :is(.header, .meta, .sheet-head) .icon-button {
      inline-size: 1.6em;
    }

    .message.agent {
      padding-inline-start: 0;
    }

    .welcome,
    .messages,
    .block:not(.block-options),
    .form-field [part],
    .failure,
    .starter,
    .actions .button {
      padding-inline: 0.5em;
    }

    .bubble {
      --_bubble-padding: 0.5em;
    }

    .agent .meta {
      column-gap: 0.25em;
      overflow-wrap: normal;
    }

    .failure {
      grid-template-columns: minmax(0, 1fr);
    }

    .notice {
      margin-inline: 0;
    }

    .product {
      flex-direction: column;
    }

    .composer {
      padding-inline: 0.25em;
    }

    .field {
      flex-wrap: wrap;
      justify-content: flex-end;
    }

    .field textarea {
      flex-basis: 100%;
    }
  }
`;
