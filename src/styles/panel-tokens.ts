/** The design tokens that only the panel uses. */
import { css } from 'lit';

export const panelTokens = css`
  :host {
    --_surface-raised: var(
      --workspace-chat-surface-raised,
      light-dark(color-mix(in oklab, var(--_accent) 4%, #f3f4f7), color-mix(in oklab, var(--_accent) 6%, #24262c))
    );
    --_muted: var(--workspace-chat-muted, light-dark(#5a6070, #a4abb9));
    --_border: var(--workspace-chat-border, light-dark(#dfe2e9, #383c46));
    /* The outline of controls, with a contrast of 3:1 to the surface. */
    --_outline: light-dark(#868d9c, #747b8a);
    --_success: var(--workspace-chat-success, light-dark(#17703f, #63c98d));
    --_warning: var(--workspace-chat-warning, light-dark(#8a5300, #edb45c));
    --_radius: var(--workspace-chat-radius, 1.125em);
    --_space: var(--workspace-chat-space, 1em);

    --_width: var(--workspace-chat-width, 25em);
    --_height: var(--workspace-chat-height, 42em);
    --_visitor-bubble: var(--workspace-chat-visitor-bubble, var(--_accent));
    --_on-visitor-bubble: var(--workspace-chat-on-visitor-bubble, var(--_on-accent));
    --_agent-bubble: var(--workspace-chat-agent-bubble, var(--_surface-raised));
    --_on-agent-bubble: var(--workspace-chat-on-agent-bubble, var(--_text));
    --_bubble-radius: var(--workspace-chat-bubble-radius, 1.125em);
  }
`;
