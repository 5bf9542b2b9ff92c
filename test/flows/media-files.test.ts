import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, messages, planned } from '../helpers/flows.ts';
import { JPEG, PNG } from '../helpers/media.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
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

function showing(...attachments: readonly Record<string, unknown>[]) {
  const all = attachments.map((wishes) => ({ file: 'media/hello.jpg', ...wishes }));
  return declaring({ campaigns: [campaign({ messages: [{ text: 'Look', attachments: all }] })] });
}

function scene(files: ReturnType<typeof showing>, modes: Record<string, unknown> = {}): Scene {
  const made = aScene({ files, world: { modes } });
  made.bytes.blobs[PICTURE] = HELLO;
  return made;
}

/** The service's records of uploads for alice, as they were exported. */
async function exports(made: Scene): Promise<readonly Record<string, unknown>[]> {
  return made.service((_, world) =>
    (world.accounts['101']?.vault.records ?? []).map(({ metadata }) => ({ ...metadata })),
  );
}

async function shownMedia(made: Scene): Promise<readonly (string | undefined)[]> {
  return made.service((_, world) =>
    Object.values(world.accounts['101']?.campaigns ?? {}).map(
      ({ live }) => live.messages[0]?.attachments[0]?.id,
    ),
  );
}

const TAGS = { rf_guest: ['55'], rf_partner: ['66', '67'], rf_tag: ['78'] };

describe('media as code', () => {
  // VAULT-10
  it('is uploaded with its name, its duration, and its guests, partners and tags', async () => {
    const wishes = { name: 'first set.jpg', content_type: 'image/pjpeg', duration: 12.5, ...TAGS };
    const made = scene(showing(wishes));
    const run = await applied(made);
    expect(run.code, messages(run)).toBe(0);
    expect(await exports(made)).toMatchObject([wishes]);
    expect(decisions(await planned(made))).toEqual([]);
    expect((await made.herald('drift')).code).toBe(0);
  });

  it('is replaced when a wish changes', async () => {
    const made = scene(showing({ rf_tag: ['1'] }));
    await applied(made);
    Object.assign(made.files.tree, showing({ rf_tag: ['2'] }));
    const { plan } = await planned(made);
    expect(plan.changes.map(({ action, steps }) => [action, steps.map(({ kind }) => kind)])).toEqual([
      ['replace', ['upload', 'pause', 'create', 'read_back']],
    ]);
    expect((await made.herald('plan')).stdout).toContain('rf_tag 2');
    expect((await applied(made)).code).toBe(0);
    expect((await exports(made)).map(({ rf_tag: tags }) => tags)).toEqual([['1'], ['2']]);
    expect(new Set(await shownMedia(made)).size).toBe(2);
    expect(decisions(await planned(made))).toEqual([]);
  });
});
