import { describe, expect, it } from 'vitest';
import { type WorldOptions } from '../../src/simulator/world.ts';
import { altered } from '../helpers/altered.ts';
import { aScene, type Scene, WORLD_FILE } from '../helpers/scene.ts';
import { writesSent, expectEnd } from '../helpers/flows.ts';
import { callsOf, HELLO, uploaded, uploadsIn, vaultOf } from '../helpers/uploads.ts';
import { JPEG, mediaOf, PNG } from '../helpers/media.ts';

/** With modes of the service, its list tells uploads that were never exported apart: they have no status. */
function scene(modes?: WorldOptions['modes']): Scene {
  const made = aScene(
    modes === undefined ? {} : { world: { modes: { unfinishedStatus: 'null', ...modes } } },
  );
  made.bytes.blobs['hello.jpg'] = HELLO;
  return made;
}

const FAN = 'https://www.platform.example/u101001';

async function recordOf(made: Scene) {
  return made.service((_, world) => world.accounts['101']?.vault.records[0]?.metadata);
}

describe('herald vault upload, with what it sends next to the bytes', () => {
  // VAULT-10
  it('sends it all, and a fan only after the link was verified', async () => {
    const made = scene();
    const guests = ['--guest=7', '--guest=9223372036854775807'];
    const wishes = ['--name', 'gift (1).jpg', '--fan', FAN, '--duration=2.5', '--partner=8', '--tag=9'];
    const { code, stderr } = await uploaded(made, ...wishes, ...guests);
    expect(code, stderr).toBe(0);
    expect(await recordOf(made)).toMatchObject({
      name: 'gift (1).jpg',
      duration: 2.5,
      export_type: 'message',
      export_fan_id: '101001',
      rf_guest: ['7', '9223372036854775807'],
      rf_partner: ['8'],
      rf_tag: ['9'],
    });
    const { requests } = await made.oracle();
    const posts = requests.filter(({ method }) => method === 'POST').map(({ operation }) => operation);
    expect(posts).toEqual(['vault.verify-fan', 'vault.upload-start', 'vault.upload-export']);
  });

  it.each([
    [['--fan', FAN, '--type', 'post'], /--type message only/],
    [['--guest', '0x1'], /not ids: 0x1/],
    [['b.jpg', '--name', 'x.jpg'], /one file only/],
    [['--wait', '5'], /such as 90s/],
    [['--duration', '-1'], /at least 0/],
    [['--parallel', '0'], /from 1 to 16/],
    [['--type', 'story'], /post, message/],
    [['--account', 'stranger'], /stranger/],
    [['--fan', 'u101001'], /such as https:..HOST/],
  ])('refuses %j before any request', async (flags, words) => {
    const made = scene();
    const ran = await made.herald('vault', 'upload', 'hello.jpg', '--account', 'alice', ...flags);
    expectEnd(ran, 1, words);
    expect(made.files.tree[WORLD_FILE]).toBeUndefined();
  });
});

describe('herald vault verify-fan', () => {
  it('prints the id', async () => {
    const ran = await scene().herald('vault', 'verify-fan', FAN, '--account', 'alice');
    expect(ran).toMatchObject({ code: 0, stdout: '101001\n' });
    const json = await scene().herald('vault', 'verify-fan', FAN, '--account', 'alice', '--format', 'json');
    expect(JSON.parse(json.stdout)).toEqual({
      schema: 'herald/item/1',
      item: { account: 'alice', account_id: '101', fan_link: FAN, fan_id: '101001' },
    });
  });

  // VAULT-16
  it('fails with the words of the service', async () => {
    const ran = await scene().herald('vault', 'verify-fan', 'https://x.example/u1', '--account', 'alice');
    expectEnd(ran, 1, 'platform.example');
  });
});

describe('herald vault thumbnail', () => {
  const thumbnail = async (made: Scene, ...flags: readonly string[]) => {
    const { item } = await uploaded(made);
    return made.herald('vault', 'thumbnail', item.media_id ?? '', '--account', 'alice', ...flags);
  };

  it('goes into a file, byte for byte', async () => {
    const made = scene();
    const ran = await thumbnail(made, '--out', 'thumb.jpg', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ item: { file: 'thumb.jpg', size: expect.any(Number) } });
    expect(made.files.tree['thumb.jpg']).toBeDefined();
  });

  // VAULT-2
  it('leaves no file where every answer is cut, and says so', async () => {
    const made = scene();
    const cut = { how: 'truncated', when: 'after_commit', times: 9 } as const;
    await made.fault({ kind: 'broken_answer', operation: 'vault.thumbnail', ...cut });
    expectEnd(await thumbnail(made, '--out', 'thumb.jpg'), 1, 'the body was cut off');
    expect(made.files.tree['thumb.jpg']).toBeUndefined();
  });

  it.each([
    ['a web page of a gateway', '\n<!DOCTYPE html><html><body>Sign in</body></html>', 'is a web page'],
    ['a page with a mark of its encoding', '\uFEFF<html>', 'is a web page'],
    ['nothing at all', '', 'is empty'],
  ])('is not %s', async (_, body, words) => {
    const { scene: made } = altered((request, answer) =>
      request.url.endsWith('/thumbnail') ? Promise.resolve(new Response(body)) : answer(),
    );
    const ran = await made.herald('vault', 'thumbnail', '7', '--account', 'alice', '--out', 'seven.jpg');
    expectEnd(ran, 1, words);
    expect(ran.stderr).toContain('herald vault thumbnail 7 --account alice --out seven.jpg');
    expect(made.files.tree['seven.jpg']).toBeUndefined();
  });
});

// VAULT-15
describe('LOST-18: herald vault retry', () => {
  /** No answer is ever heard. */
  const UNKNOWN = 'status in the list of uploads: uploaded';

  it.each([
    ['uploaded', 0, 'queued again'],
    ['processed', 0, 'queued again'],
    ['processing', 0, 'already in progress'],
    ['exporting', 0, 'already in progress'],
    ['exported', 0, 'is already finished, so there is nothing to retry; its status is exported'],
    ['failed', 1, 'Upload the file again'],
    ['unprocessable', 1, 'cannot use this file'],
    ['uploaded', 3, UNKNOWN],
  ] as const)('of an upload that is %s: exit %i, %s', async (status, code, words) => {
    const made = scene();
    const id = await made.service((control, world) => {
      control.seed({ account_id: '101', kind: 'vault_upload', set: { status } });
      return world.accounts['101']?.vault.records[0]?.id ?? '';
    });
    const lost = { how: 'reset', when: 'before_commit' } as const;
    if (words === UNKNOWN)
      await made.fault({ kind: 'broken_answer', operation: 'vault.upload-retry', ...lost });
    const ran = await made.herald('vault', 'retry', id, '--account', 'alice');
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stdout + ran.stderr).toContain(words);
  });
});

it('a presigned address is nowhere to be read: not in the state, the document or the log of requests', async () => {
  const made = scene({ uploadShape: 'multipart', uploadPartBytes: 4000 });
  const { stdout, stderr } = await uploaded(made, '--verbose');
  for (const text of [stdout, stderr, JSON.stringify(await made.requests())])
    expect(text).not.toMatch(/storage\.simulator\.invalid\S*\?[^…]/);
});

const fate = (end: 'failed' | 'stuck_processed') => ({
  uploadFates: [{ name_contains: 'hello', fate: end }],
});

describe('the end of an upload', () => {
  it('not reached within --wait: exit 3, and nothing is uploaded a second time', async () => {
    const made = scene(fate('stuck_processed'));
    const begun = made.clock.now();
    const first = await uploaded(made, '--wait', '5m');
    expect([first.code, first.item.outcome, first.item.status]).toEqual([3, 'pending', 'processed']);
    expect(made.clock.now() - begun).toBeGreaterThanOrEqual(300_000);
    expect(made.clock.now() - begun).toBeLessThan(310_000);
    const retry = `vault retry ${first.item.upload_id ?? ''} --account 101`;
    expect(first.item.message).toContain(`If it stays processed, queue it again: herald ${retry}`);
    expectEnd(await made.herald(...retry.split(' ')), 0);
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('is not waited for with --no-wait, and the next run finds it', async () => {
    const made = scene({});
    const first = await uploaded(made, '--no-wait');
    expect([first.code, first.item.outcome, first.item.status]).toEqual([0, 'accepted', 'uploaded']);
    const second = await uploaded(made);
    expect(second).toMatchObject({ code: 0, item: { outcome: 'already', upload_id: first.item.upload_id } });
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});

describe('several files', () => {
  const JSON_OF_ALICE = ['--account', 'alice', '--format', 'json'];
  const many = (made: Scene, ...flags: readonly string[]) =>
    made.herald('vault', 'upload', 'hello.jpg', 'b.png', 'c.jpg', ...JSON_OF_ALICE, ...flags);

  it('and several accounts: each account gets the file, and nothing when it runs again', async () => {
    const made = scene();
    const args = ['vault', 'upload', 'hello.jpg', '--account=alice', '--account=bob', '--format=json'];
    const ran = await made.herald(...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { account: 'alice', outcome: 'exported' },
        { account: 'bob', outcome: 'exported' },
      ],
    });
    const sent = await writesSent(made);
    const again = await made.herald(...args);
    expect(JSON.parse(again.stdout)).toMatchObject({
      items: [{ outcome: 'already' }, { outcome: 'already' }],
    });
    expect(await writesSent(made)).toEqual(sent);
  });

  it('end one by one: exit 4 where some are there and some are not', async () => {
    const made = scene(fate('failed'));
    made.bytes.blobs['b.png'] = mediaOf(PNG, 5000);
    made.bytes.blobs['c.jpg'] = mediaOf(JPEG, 6000);
    const ran = await many(made);
    expect(ran.code).toBe(4);
    expect(uploadsIn(ran).map(({ file, outcome }) => `${file} ${outcome}`)).toEqual([
      'hello.jpg failed',
      'b.png exported',
      'c.jpg exported',
    ]);
  });

  it('are all looked at before the first request, with everything that is wrong', async () => {
    const made = scene({});
    made.bytes.blobs['b.png'] = JPEG;
    const ran = await many(made);
    expect(ran.code).toBe(1);
    const { code, details } = JSON.parse(ran.stdout) as {
      code: string;
      details: { diagnostics: { file: string; message: string }[] };
    };
    expect(code).toBe('invalid-files');
    expect(details.diagnostics.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      expect.stringContaining('b.png: its name says image/png, but it holds image/jpeg'),
      'c.jpg: the file does not exist.',
    ]);
    expect((await made.oracle()).requests).toEqual([]);
  });
});

it('herald vault retry says so of an upload that the list does not show, and of a word that is not an id', async () => {
  const made = scene();
  const word = await made.herald('vault', 'retry', 'gift.mp4', '--account', 'alice');
  expectEnd(word, 1, 'herald vault uploads');
  await made.fault({ kind: 'refusal', operation: 'vault.upload-retry', status: 409 });
  const id = '0b0f7a52-5d7e-4a55-9d62-3f1d3c0c8a11';
  expectEnd(
    await made.herald('vault', 'retry', id, '--account', 'alice'),
    1,
    'status in the list of uploads: not known',
  );
});
