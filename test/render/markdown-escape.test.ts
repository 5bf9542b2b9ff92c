import { expect, it } from 'vitest';
import { markdownProse } from '../../src/render/markdown-escape.ts';

it.each([
  ['a mention', 'ask @team', 'ask <code>&#64;</code>team'],
  ['an issue', 'see #123', 'see <code>&#35;</code>123'],
  ['a merge request', 'see !123', 'see <code>&#33;</code>123'],
  [
    'an epic, a label and a milestone',
    '&1 ~2 %3',
    '<code>&#38;</code>1 <code>&#126;</code>2 <code>&#37;</code>3',
  ],
  ['an old kind of reference', 'GH-3', 'GH<code>&#45;</code>3'],
  ['a link', '[here](https://evil.example)', '&#91;here&#93;(<code>https&#58;//evil.example)</code>'],
  ['an address', 'https://a.example/b?c', '<code>https&#58;//a.example/b?c</code>'],
  ['an address without a scheme', 'www.a.example', '<code>www&#46;a.example</code>'],
  ['an image', '![x](y)', '&#33;&#91;x&#93;(y)'],
  ['HTML', '<img src=x>', '&#60;img src=x&#62;'],
  ['a hidden marker', '<!-- herald:1 -->', '&#60;&#33;-- herald:1 --&#62;'],
  ['a command of GitLab', '/close', '&#47;close'],
  ['a task', '- [x] done', '&#45; &#91;x&#93; done'],
  ['a list', '1. one', '1&#46; one'],
  ['a heading below', '===', '&#61;=='],
  ['two lines with a command', 'text\n/close', 'text /close'],
  ['another direction', 'a\u202eb', 'a&#92;u{202e}b'],
  ['a price and a share', '$14.50 and 20% off', '&#36;14.50 and 20% off'],
])('what people wrote is only text in a comment: %s', (_title, text, markdown) => {
  expect(markdownProse(text)).toBe(markdown);
});
