import { describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { CHAT, SEND } from '../helpers/chats.ts';

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const ODD: readonly (readonly [string, number, string | null])[] = [
  ['a page', 200, PAGE],
  ['nothing', 200, ''],
  ['half of it', 200, '{"send_id":"a","list":[{"state":"ne'],
  ['null', 200, 'null'],
  ['odd members', 200, '{"send_id":17,"list":[null],"success":"yes","subscribed":"yes"}'],
  ['an error in a success', 200, '{"error":{"code":"X","message":"no"}}'],
  ['no content', 204, null],
  ['a redirect', 302, PAGE],
  ['a conflict', 409, '{"message":"busy"}'],
  ['a page of an error', 500, PAGE],
];

/** What a 4xx says is believed: nothing was carried out (ERROR-1). */
const CELLS = ODD.flatMap(([title, status, body]) =>
  (status === 409 ? (['left'] as const) : (['left', 'carried out'] as const)).map((how) => ({
    title,
    status,
    body,
    how,
  })),
);

const PAY = ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'];
const FOLLOW = ['fans', 'follow', '101001', '--account', 'alice', '--yes'];
const LABEL = ['fans', 'label', '101001', '--account', 'alice', '--name', 'Tom', '--yes'];
const ACTS = [
  ['a chat message', [...SEND, '--text', 'A word', '--yes'], /\/messages$/],
  ['a payout', PAY, /\/payout-requests$/],
  ['a follow', FOLLOW, /\/subscribe$/],
  ['a label', LABEL, /\/fans\/101001$/],
] as const;

describe.each(ACTS)('%s with an odd first answer', (_, command, path) => {
  it.each(CELLS)('$title, $status, $how: not done twice, and every statement is true', async (cell) => {
    const { status, body, how } = cell;
    let asked = 0;
    const { scene, simulator } = altered(async (request, answer) => {
      const isIt = request.method !== 'GET' && path.test(new URL(request.url).pathname);
      if (!isIt || asked++ > 0) return answer();
      const headers = new Headers({ 'content-type': 'text/html' });
      const real = how === 'carried out' ? await answer() : null;
      const date = real?.headers.get('date');
      if (date != null) headers.set('date', date);
      return new Response(body, { status, headers });
    });
    const first = await scene.herald(...command, '--format', 'json');
    const second = await scene.herald(...command, '--format', 'json');
    const said = [first, second].map(({ code, stdout, stderr }) => `exit ${code}\n${stdout}\n${stderr}`);
    expect(said.join('\n')).not.toMatch(/internal-error|Cannot read|undefined/);
    const { chats, payouts } = simulator.control.oracle();
    const times = [
      chats['101']?.sends[CHAT]?.length ?? 0,
      payouts['101']?.committed.length ?? 0,
      chats['101']?.follows.length ?? 0,
    ];
    expect(Math.max(...times), said.join('\n')).toBeLessThanOrEqual(1);
    if (first.code === 1) expect(how, said[0]).toBe('left');
  });
});
