import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, uploaded, vaultOf } from '../helpers/uploads.ts';

const OTHER = mediaOf(JPEG, HELLO.byteLength, 8);

/** A campaign for each file; all of them hold the same bytes. */
function scene(...files: readonly string[]): Scene {
  const campaigns = files.map((file) =>
    campaign({ name: file, messages: [{ text: file, attachments: [{ file }] }] }),
  );
  const made = aScene({ files: declaring({ campaigns }) });
  for (const file of files) made.bytes.blobs[`live/${file}`] = HELLO;
  return made;
}

function rewrite({ bytes }: Scene, path: string, content: Uint8Array): void {
  bytes.blobs[path] = content;
  bytes.changedMs[path] = 2000;
}

describe('a file that is written again while a person looks at the plan', () => {
  it('is uploaded where it holds the bytes that were agreed to', async () => {
    const made = scene('hello.jpg');
    made.answer = () => (rewrite(made, 'live/hello.jpg', HELLO), true);
    const ran = await made.herald('apply');
    expect(ran.code, ran.stdout).toBe(0);
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('is not uploaded where it only begins with them', async () => {
    const made = scene('hello.jpg');
    made.answer = () => (rewrite(made, 'live/hello.jpg', Buffer.concat([HELLO, JPEG])), true);
    expect((await made.herald('apply')).code).toBe(1);
    expect(await callsOf(made)).toBe('');
  });
});

describe('a file that changes before its bytes are sent', () => {
  it('is not sent at all', async () => {
    const made = aScene();
    made.bytes.blobs['hello.jpg'] = HELLO;
    let pieces = 0;
    made.bytes.onPiece = () => {
      if ((pieces += 1) === 3) rewrite(made, 'hello.jpg', OTHER);
    };
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([1, 'failed']);
    expect(item.message).toContain('has changed since it was looked at');
    expect(await callsOf(made)).toBe('');
  });
});

describe('a path that would speak to the terminal', () => {
  it('is shown, and not obeyed', async () => {
    const made = aScene();
    made.bytes.blobs['a\u001b[2J/hello.jpg'] = HELLO;
    await made.fault({ kind: 'storage', how: 'expired', nth: 1 });
    const ran = await made.herald('vault', 'upload', 'a\u001b[2J/hello.jpg', '--account', 'alice');
    expect(ran.stderr).toContain('uploaded again from its beginning');
    expect(ran.stdout + ran.stderr).not.toContain('\u001b');
  });
});
