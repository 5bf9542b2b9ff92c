import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, planned } from '../helpers/flows.ts';
import { JPEG, PNG } from '../helpers/media.ts';
import { aScene } from '../helpers/scene.ts';
import { HELLO } from '../helpers/uploads.ts';

const PICTURE = 'live/media/hello.jpg';

describe('validate', () => {
  it('says everything that is wrong with every file at once, with its place', async () => {
    const shows = (file: string) => ({ file });
    const attachments = [
      'none.jpg',
      'empty.jpg',
      'lies.jpg',
      'Zoë.jpg',
      'notes.txt',
      '../../out.jpg',
      '{{a}}.jpg',
    ];
    const made = aScene({
      files: declaring({
        campaigns: [campaign({ messages: [{ text: 'a', attachments: attachments.map(shows) }] })],
      }),
    });
    Object.assign(made.bytes.blobs, {
      'live/empty.jpg': new Uint8Array(),
      'live/lies.jpg': PNG,
      'live/Zoë.jpg': JPEG,
      'live/notes.txt': JPEG,
    });
    const ran = await made.herald('validate', '--format', 'json');
    expect(ran.code).toBe(1);
    const { diagnostics } = JSON.parse(ran.stdout) as {
      diagnostics: { file: string; line: number; code: string; message: string }[];
    };
    expect(diagnostics.map(({ code }) => code).toSorted()).toEqual([
      'file-has-variable',
      'media-file',
      'media-file',
      'media-file',
      'media-file',
      'media-file',
      'path-outside',
    ]);
    const words = diagnostics.map(({ message: text }) => text).join('\n');
    for (const part of [
      'the file does not exist',
      'empty',
      'image/png',
      'Zoe.jpg',
      'ends in .txt',
      'is outside the workspace',
    ])
      expect(words).toContain(part);
    expect(words).not.toContain('--');
    expect(diagnostics.every(({ file, line }) => file.startsWith('live/') && line > 0)).toBe(true);
  });

  it.each([
    [{ file: 'media/hello.jpg', id: '5' }, 'media-twice'],
    [{ file: 'media/hello.jpg', type: 'image' }, 'media-twice'],
    [{ is_paid: false }, 'media-missing'],
    [{ id: '5' }, 'missing-key'],
    [{ type: 'image' }, 'missing-key'],
  ])('refuses %j: %s', async (attachment, code) => {
    const made = aScene({
      files: declaring({ campaigns: [campaign({ messages: [{ text: 'a', attachments: [attachment] }] })] }),
    });
    const ran = await made.herald('validate', '--format', 'json');
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining(code)]);
  });
});

describe('import --update', () => {
  it('takes over the media that someone shows in the place of a file', async () => {
    const made = aScene({
      files: { 'live/a.yaml': FILE },
    });
    made.bytes.blobs[PICTURE] = HELLO;
    expect((await applied(made)).code).toBe(0);
    await made.service((control, world) => {
      const [id = ''] = Object.keys(world.accounts['101']?.campaigns ?? {});
      control.editCampaign('101', id, {
        messages: [{ text: 'Look', attachments: [{ id: '777', type: 'image' }] }],
      });
    });
    const ran = await made.herald('import', '--update');
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(made.files.tree['live/a.yaml']).toContain('777');
    expect(made.files.tree['live/a.yaml']).not.toContain('hello.jpg');
    expect(decisions(await planned(made))).toEqual([]);
  });

  it('leaves a file alone that the live media was uploaded from', async () => {
    const made = aScene({ files: { 'live/a.yaml': FILE } });
    made.bytes.blobs[PICTURE] = HELLO;
    await applied(made);
    await made.service((control, world) => {
      const [live] = Object.values(world.accounts['101']?.campaigns ?? {});
      const attachments = live?.live.messages[0]?.attachments ?? [];
      control.editCampaign('101', live?.live.id ?? '', { messages: [{ text: 'Changed', attachments }] });
    });
    const ran = await made.herald('import', '--update');
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(made.files.tree['live/a.yaml']).toContain('- text: Changed');
    expect(made.files.tree['live/a.yaml']).toContain('{ file: media/hello.jpg }');
    expect(decisions(await planned(made))).toEqual([]);
  });
});

const FILE = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: Look
        attachments: [{ file: media/hello.jpg }]
`;
