import { describe, expect, it } from 'vitest';
import { CHAT, chatTruth, queued, SEND, sent } from './chats.ts';
import { aScene } from '../helpers/scene.ts';
import { errorOf, itemOf, expectEnd } from '../helpers/flows.ts';

const JSON_YES = ['--yes', '--format', 'json'] as const;

describe('herald chat send', () => {
  // CHAT-1, CHAT-4
  it('sends the words once and says that they are queued, not delivered', async () => {
    const scene = aScene();
    const ran = await scene.herald(...SEND, '--text', 'Good morning!', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /^queued, not delivered: chat 101001 of alice \(account 101\), send_id [0-9a-f-]{36}\n$/,
    );
    expect(await queued(scene)).toEqual(['Good morning!']);
    expect(await scene.requests()).toMatchObject([
      { operation: 'chat.send', outcome: 'done', name: '101001' },
    ]);
  });

  it('sends price, locked text and media as they were typed', async () => {
    const scene = aScene();
    const media = ['--media=55012:photo:paid', '--media=9007199254740993123:video'];
    const flags = ['--text', 'For you', '--price=9.99', '--locked', ...media];
    expect((await scene.herald(...SEND, ...flags, '--yes')).code).toBe(0);
    expect((await chatTruth(scene)).sends[CHAT]).toMatchObject([
      {
        text: 'For you',
        price: 9.99,
        locked_text: true,
        media: [
          { id: '55012', type: 'photo', is_paid: true },
          { id: '9007199254740993123', type: 'video', is_paid: false },
        ],
      },
    ]);
  });

  it('reads the words from a file and from standard input, without the line break at their end', async () => {
    const scene = aScene({ files: { 'offer.md': '\uFEFFFirst line\r\nsecond line\r\n' } });
    scene.input = 'From a pipe\n';
    expect((await scene.herald(...SEND, '--text-file', 'offer.md', '--yes')).code).toBe(0);
    expect((await scene.herald(...SEND, '--text-file', '-', '--yes')).code).toBe(0);
    expect(await queued(scene)).toEqual(['First line\nsecond line', 'From a pipe']);
  });

  it('shows all of it and asks; a no sends nothing', async () => {
    const scene = aScene();
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    const flags = ['--text', 'One\n\u202etwo', '--price=5', '--media=7:photo:paid'];
    const ran = await scene.herald(...SEND, ...flags);
    expect(ran.code).toBe(1);
    expect(questions).toEqual([
      'Send a message to chat 101001 of alice (account 101) at simulator .herald/world.json? It cannot be recalled. Type yes to send it:',
    ]);
    expect(ran.stderr).toContain(
      'Message to chat 101001 of alice (account 101):\n  | One\n  | \\u{202e}two\n  price: 5 USD\n  media: 7 (photo, paid)\n',
    );
    expect(ran.stderr).toContain('Nothing was sent.');
    expect(await queued(scene)).toEqual([]);
    scene.answer = () => true;
    expect((await scene.herald(...SEND, '--text', 'One')).code).toBe(0);
    expect(await queued(scene)).toEqual(['One']);
  });

  // CHAT-3
  it('names restricted words, and what the service refused otherwise, exit 1', async () => {
    const scene = aScene();
    const ran = await scene.herald(...SEND, '--text', 'By PayPal, or meet in person', ...JSON_YES);
    expect(ran.code).toBe(1);
    const error = errorOf(ran);
    expect(error.code).toBe('RESTRICTED_WORDS_DETECTED');
    expect(error.details).toMatchObject({ facts: [expect.stringContaining('"paypal","meet in person"')] });
    expect(await sent(scene, 'chat.send')).toBe(1);
    expect(await queued(scene)).toEqual([]);
    expect(await scene.requests()).toMatchObject([{ outcome: 'refused' }]);

    await scene.service((control) => control.setModes({ restrictedDetails: 'list', errorBody: 'nested' }));
    const listed = await scene.herald(...SEND, '--text', 'PayPal', '--yes');
    expect(listed.stderr).toContain('its details: ["paypal"]');

    const stranger = await scene.herald('chat', 'send', '999', '--account', 'alice', '--text', 'Hi', '--yes');
    expectEnd(stranger, 1, 'answered 404');
  });
});

describe('the local check', () => {
  // CHAT-5
  it('names every broken rule at once and sends nothing', async () => {
    const scene = aScene();
    const ran = await scene.herald(...SEND, '--locked', '--media=7:photo:paid', '--price=0', ...JSON_YES);
    expect(ran.code).toBe(1);
    const error = errorOf(ran);
    expect(error.code).toBe('invalid-message');
    expect(error.details).toEqual({
      problems: [
        'Locked text (--locked) needs a --price above 0.',
        'Paid media (7) needs a --price above 0.',
        'Locked text (--locked) needs a text.',
      ],
    });
    expect(error.hint).toContain('--no-local-check');
    expect((await scene.oracle()).requests).toEqual([]);
  });

  const UNCHECKED = ['--text', 'Hi', '--no-local-check'];
  it.each([
    [[...UNCHECKED, '--price', '1,50'], '--price 1,50: write US dollars'],
    [[...UNCHECKED, '--price', '1e3'], '--price 1e3: write US dollars'],
    [[...UNCHECKED, '--media', '55'], '--media 55: write id:type'],
    [[...UNCHECKED, '--media', '55:paid'], '--media 55:paid: write id:type'],
    [[...UNCHECKED, '--media', '55:photo:free'], '--media 55:photo:free: write id:type'],
    [['--text', 'a', '--text-file', 'b'], 'given twice'],
    [['--text', 'a\u0000b'], 'it is not valid text'],
    [
      ['--text-file', 'pointer.md'],
      'pointer.md is a Git LFS pointer, not the text. Nothing was sent.\nFetch the file: git lfs pull',
    ],
  ])('cannot be left out for what cannot be understood: %j', async (flags, words) => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n';
    const scene = aScene({ files: { 'pointer.md': pointer } });
    expectEnd(await scene.herald(...SEND, ...flags, '--yes'), 1, words);
  });
});

// CHAT-7, CHAT-8
it('herald fans label sets only what was given, and an empty text where one was typed', async () => {
  const scene = aScene();
  const label = (...flags: string[]) =>
    scene.herald('fans', 'label', CHAT, '--account', 'alice', '--yes', ...flags);
  expect(await label('--name', 'Tom', '--note', 'likes dogs')).toMatchObject({
    code: 0,
    stdout: 'set the name "Tom" and the note "likes dogs" for fan 101001 of alice (account 101)\n',
  });
  expect((await label('--note', '')).code).toBe(0);
  scene.clock.move(200_000);
  expect((await chatTruth(scene)).labels[CHAT]).toEqual({ custom_name: 'Tom', note: '' });
  expect(itemOf(await label('--name', 'Tim', '--format', 'json'))).toEqual({
    account: 'alice',
    account_id: '101',
    fan_id: CHAT,
    custom_name: 'Tim',
    success: true,
  });
});

describe('herald fans follow', () => {
  const FOLLOW = ['fans', 'follow', CHAT, '--account', 'alice'] as const;

  // CHAT-11
  it('warns that it may cost money, asks, and says what it cost', async () => {
    const scene = aScene();
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), questions.length > 1);
    expect((await scene.herald(...FOLLOW)).code).toBe(1);
    expect(questions).toEqual([
      'Follow fan 101001 of alice (account 101) at simulator .herald/world.json? Following a fan may cost money; the service does not show the price in advance. Type yes to send it:',
    ]);
    expect(await sent(scene, 'fans.follow')).toBe(0);
    const { stdout } = await scene.herald(...FOLLOW);
    expect(stdout).toMatch(
      /^following fan 101001 of alice \(account 101\): 4\.99 USD, since 2026-06-01T12:00:\d\dZ?.*, until 2026-07-01T12:00:\d\d.*, renews by itself\n$/,
    );
  });

  // CHAT-12
  it('calls free what costs nothing, and says that it has no end', async () => {
    const scene = aScene({ world: { modes: { followPriceUsd: 0 } } });
    const { stdout } = await scene.herald(...FOLLOW, '--yes');
    expect(stdout).toMatch(/: free, since \S+, without an end\n$/);
  });
});

it.each([
  [['--price', '5'], 'A message needs a text with more than spaces'],
  [['--text', 'Hi', '--price', '5'], 'The price 5 unlocks nothing.'],
  [['--text', 'Hi', '--price', '5.005', '--locked'], 'The price 5.005 has more than two decimals.'],
])('the local check refuses %j', async (flags, problem) => {
  const scene = aScene();
  const error = errorOf(await scene.herald(...SEND, ...flags, ...JSON_YES));
  expect(error).toMatchObject({ code: 'invalid-message', message: expect.stringContaining(problem) });
  expect(await sent(scene, 'chat.send')).toBe(0);
});
