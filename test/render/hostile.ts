/** Texts that try to break out of what is drawn around them. */
export const HOSTILE: readonly string[] = [
  '\u001b[31mred\u001b[0m',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u009b2J wiped',
  'invoice\u202Egpj.exe',
  '\u2066isolated\u2069 \u200Fmark',
  'line\r\nbreak\ttab\u0000nul\u0007bell\bback',
  'lone \uD800 and \uDFFF surrogates',
  'a | b || c \\| d \\',
  '``` fence\n```\n~~~\n````diff',
  '<img src=x onerror=alert(1)></details></code><!--',
  '@everyone see #123 and GH-45 @org/team !7 $x$ **bold** [link](http://x.example) www.x.example',
  '[-gone-]{+new+} [cannot be undone]',
  'zero\u200Bwidth\uFEFF\u00AD\u3164\u{E0041}',
  '👩‍👩‍👧 👍🏽 🇩🇪 1️⃣ 最高 한국어 ไทย हिन्दी',
  `z${'\u0301'.repeat(50)}algo`,
  '"quoted" \'single\'',
  '   spaces   ',
  '# heading\n- list\n> quote\n| --- |',
  'x'.repeat(3_000),
  '字'.repeat(700),
  '',
];

/** Whatever a terminal would obey; line breaks are the renderers' own. */
export const OBEYED =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
