globalThis.respond = () => `A style sheet:

~~~css
:root {
  --workspace-chat-accent: #0b6e4f; /* the shop's green */
}
~~~`;
