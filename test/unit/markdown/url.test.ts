import assert from 'node:assert/strict';
import { it } from 'node:test';
import { safeUrl } from '../../../src/markdown/url.ts';

it('accepts web, mail and telephone URLs in the form that the browser reads', () => {
  assert.equal(safeUrl('https://example.com'), 'https://example.com/');
  assert.equal(safeUrl('HTTP://Example.COM/a b?q=1#f'), 'http://example.com/a%20b?q=1#f');
  assert.equal(safeUrl('mailto:help@example.com?subject=Hi'), 'mailto:help@example.com?subject=Hi');
  assert.equal(safeUrl('tel:+966-11-555-0100'), 'tel:+966-11-555-0100');
  assert.equal(safeUrl('  https://example.com/path  '), 'https://example.com/path');
  assert.equal(safeUrl('https://مثال.com/'), 'https://xn--mgbh0fb.com/');
  assert.equal(safeUrl('https://[::1]:8443/x'), 'https://[::1]:8443/x');
});

it('rejects schemes that run, read or embed content, however they are written', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript://https://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'ftp://example.com/',
    'intent://example.com#Intent;end',
    'view-source:https://example.com',
    'ws://example.com',
    'sms:+15555550100',
  ])
    assert.equal(safeUrl(url), null, url);
});

it('rejects relative references instead of resolving them against the page', () => {
  for (const url of [
    '',
    ' ',
    '#',
    '#x',
    '/',
    '/admin',
    '//evil.example',
    '../x',
    'page.html',
    '?q',
    'https:',
    'https:foo',
    'https:/foo',
    'https:\\\\evil.example',
    'example.com',
  ])
    assert.equal(safeUrl(url), null, url);
});

it('rejects URLs with credentials or control characters', () => {
  for (const url of [
    'https://user@evil.example/',
    'https://user:secret@evil.example/',
    'https://:secret@evil.example/',
    'https://bank.example%2f@evil.example/',
    'https://exa\u0000mple.com',
    'https://example.com/\u007f',
    'https://example.com/\u0085',
    'https://example.com/\r\nSet-Cookie:x',
    'mailto:a@example.com\nbcc:b@example.com',
  ])
    assert.equal(safeUrl(url), null, JSON.stringify(url));
});

it('rejects text that is not a URL', () => {
  for (const url of ['https://', 'https://exa mple.com', 'https://[', 'https://example.com:99999/'])
    assert.equal(safeUrl(url), null, url);
});

it('ignores a backslash that would change the host', () => {
  assert.equal(new URL(safeUrl('https://good.example\\@evil.example/') ?? '').host, 'good.example');
});
