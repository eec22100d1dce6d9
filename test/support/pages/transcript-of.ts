/** Describes the rendered transcript, one line for each entry. Runs in the page. */
export const transcriptOf = (element: Element | null): string[] => {
  if (!element?.shadowRoot) return ['no element'];
  const text = (node: Element | null | undefined) =>
    (node?.textContent ?? '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\d٠-٩]{1,2}:[\d٠-٩]{2}\s?([AP]M|[صم](?![\p{L}]))?/gu, '')
      .trim();
  const lines: string[] = [];
  for (const message of element.shadowRoot.querySelectorAll('workspace-chat-message')) {
    const notice = message.querySelector('.notice');
    if (notice) lines.push(`(${text(notice)})`);
    const box = message;
    if (!box.matches('.message')) continue;
    const author = box.classList.contains('visitor') ? 'visitor' : box.querySelector('.author') ? 'team' : 'assistant';
    const bubble = box.querySelector('.bubble:not([hidden])');
    const content = bubble?.classList.contains('thinking') ? '…' : text(bubble);
    const tools = [...box.querySelectorAll('.tool, .tool-prompt p')].map((tool) => `{${text(tool)}} `);
    const meta = box.querySelector('.meta');
    const buttons = [...(meta?.querySelectorAll('button:not(.copy)') ?? [])].map((button) => `[${text(button)}]`);
    const copy = meta?.cloneNode(true) as Element | undefined;
    for (const button of copy?.querySelectorAll('button') ?? []) button.remove();
    // A reply that is still streaming has no meta line. It must not look like a complete one.
    const note = meta ? text(copy).replace(/^· /, '') : 'streaming';
    lines.push(
      `${author}: ${tools.join('')}${content} ${note && `— ${note}`} ${buttons.join(' ')}`
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
  }
  return lines;
};
