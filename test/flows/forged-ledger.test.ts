import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, planned, writesSent } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

type Kind = 'campaign' | 'broadcast';
type Line = Record<string, unknown>;

const KINDS = [{ kind: 'campaign' }, { kind: 'broadcast' }] as const satisfies readonly { kind: Kind }[];
const PERSON = { type: 'user', id: '77' };
const STAYING = ['A', 'B', 'C', 'D'];

/** Four objects that Herald made, and two that a person made in the service. */
async function aSharedAccount(kind: Kind, theirs: Line = {}): Promise<Scene> {
  const scene = aScene({ files: files(kind) });
  expect((await applied(scene)).code).toBe(0);
  for (const name of ['Theirs', 'Their other'])
    await scene.service((control) => {
      const seed = { name, messages: [{ text: `I am ${name}` }], created_by: PERSON, ...theirs };
      if (kind === 'campaign') control.seedCampaign('101', seed);
      else control.seedBroadcast('101', { ...seed, scheduled_at: '2026-06-01T16:00:00Z' });
    });
  return scene;
}

/** The four, and what else is declared. */
function files(kind: Kind, ...more: readonly Line[]): Record<string, string> {
  const one = kind === 'campaign' ? campaign : broadcast;
  const own = STAYING.map((name) => one({ name, messages: [{ text: `I am ${name}` }] }));
  return declaring({ [`${kind}s`]: [...own, ...more.map((parts) => one(parts))] });
}

async function liveId(scene: Scene, kind: Kind, name: string): Promise<string> {
  const found = (await liveOn(scene, '101', kind)).find((object) => object.name === name);
  return found?.id ?? 'none';
}

function linesIn({ files: { tree } }: Scene): Line[] {
  const text = tree[LEDGER_FILE] ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Adds lines as a pull request would. Returns the number of the last one. */
function forge(scene: Scene, ...lines: readonly Line[]): number {
  scene.files.tree[LEDGER_FILE] += lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return linesIn(scene).length;
}

/** The intent and the outcome of the create of `A`. */
function createOfA(scene: Scene): readonly [Line, Line] {
  const all = linesIn(scene);
  const intent = all.find(({ type, name }) => type === 'intent' && name === 'A');
  const outcome = all.find(({ type, entry }) => type === 'outcome' && entry === intent?.['entry']);
  if (intent === undefined || outcome === undefined) throw new Error('A was not created');
  return [intent, outcome];
}

/** Says that Herald created the object: a copy of what it created, with another id. */
async function claim(scene: Scene, kind: Kind, intent: Line = {}, outcome: Line = {}): Promise<number> {
  const [made, done] = createOfA(scene);
  const live_id = await liveId(scene, kind, 'Theirs');
  const forged = { entry: 'forged-1', run: 'forged' };
  return forge(
    scene,
    { ...made, name: 'Theirs', ...intent, ...forged },
    { ...done, live_id, ...outcome, ...forged },
  );
}

/** One more outcome of our own create, which says that the person is us. */
function teach(scene: Scene): number {
  const [, outcome] = createOfA(scene);
  return forge(scene, { ...outcome, created_by: 'user:77' });
}

const DECLARED: readonly { title: string; parts: Line; isFor: readonly Kind[] }[] = [
  { title: 'replaced', parts: { messages: [{ text: 'Ours' }] }, isFor: ['campaign', 'broadcast'] },
  { title: 'paused', parts: { status: 'paused' }, isFor: ['campaign', 'broadcast'] },
  { title: 'archived', parts: { status: 'archived' }, isFor: ['campaign'] },
  { title: 'recalled', parts: { status: 'recalled' }, isFor: ['campaign', 'broadcast'] },
];

describe.each(KINDS)('a $kind that a person made', ({ kind }) => {
  it('is not pruned for a forged create, and the warning names its line', async () => {
    const scene = await aSharedAccount(kind);
    const line = await claim(scene, kind);
    const sent = await writesSent(scene);
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan)).toEqual([
      `unmanaged alice/${kind}/Their other`,
      `unmanaged alice/${kind}/Theirs`,
    ]);
    expect(plan.plan.diagnostics.filter(({ code }) => code === 'ledger-contradicted')).toMatchObject([
      {
        severity: 'warning',
        file: LEDGER_FILE,
        line,
        message: expect.stringContaining(
          'the service says that user:77 created it, the ledger says api_token:1',
        ),
      },
    ]);
    const ran = await scene.herald('plan');
    expect(ran.stdout + ran.stderr).toContain(`${LEDGER_FILE}:${line}`);
    expect((await applied(scene, '--allow', 'prune', '--allow', 'large')).code).toBe(0);
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('is named by its own name where the forged create has another one', async () => {
    const scene = await aSharedAccount(kind);
    await claim(scene, kind, { name: 'Something else' });
    expect(decisions(await planned(scene, '--allow', 'prune', '--allow', 'large'))).toContain(
      `unmanaged alice/${kind}/Theirs`,
    );
  });

  describe.each(DECLARED.filter(({ isFor }) => isFor.includes(kind)))(
    'declared under its name',
    ({ title, parts }) => {
      it.each<{ what: string; forgery: (scene: Scene) => Promise<number> | number }>([
        { what: 'a forged create', forgery: (scene) => claim(scene, kind) },
        { what: 'a forged maker of a create of our own', forgery: teach },
      ])(`is not ${title} for $what without adopt`, async ({ forgery }) => {
        const scene = await aSharedAccount(kind);
        const line = await forgery(scene);
        Object.assign(
          scene.files.tree,
          files(kind, { name: 'Theirs', messages: [{ text: 'I am Theirs' }], ...parts }),
        );
        const sent = await writesSent(scene);
        const { plan } = await planned(scene);
        const change = plan.changes.find(({ address }) => address.name === 'Theirs');
        expect(change).toMatchObject({ action: 'blocked', needs: expect.arrayContaining(['adopt']) });
        expect(plan.diagnostics).toContainEqual(
          expect.objectContaining({ code: 'ledger-contradicted', file: LEDGER_FILE, line }),
        );
        expect((await applied(scene)).code).toBe(5);
        expect(await writesSent(scene)).toEqual(sent);
      });
    },
  );

  it('is warned of with the right line also behind lines that cannot be read', async () => {
    const scene = await aSharedAccount(kind);
    const own = scene.files.tree[LEDGER_FILE] ?? '';
    await claim(scene, kind);
    const forged = (scene.files.tree[LEDGER_FILE] ?? '').slice(own.length);
    scene.files.tree[LEDGER_FILE] = `${own}\nno line\n\r\n${forged}`;
    const line = scene.files.tree[LEDGER_FILE].split('\n').length - 1;
    const { plan } = await planned(scene);
    expect(plan.diagnostics).toContainEqual(expect.objectContaining({ code: 'ledger-contradicted', line }));
  });

  it.each(['text', 'json'])('is warned of by an import as well (%s)', async (format) => {
    const scene = await aSharedAccount(kind);
    const line = await claim(scene, kind);
    const { code, stderr } = await scene.herald('import', `--format=${format}`);
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((words) => words.includes('This line says'))).toEqual([
      expect.stringContaining(`${LEDGER_FILE}:${line}: This line says that Herald created ${kind}`),
    ]);
  });

  it('is pruned as adopted only with its creator in the plan', async () => {
    const scene = await aSharedAccount(kind);
    const live_id = await liveId(scene, kind, 'Theirs');
    const about = { account: 'alice', account_id: '101', kind, name: 'Theirs', live_id };
    forge(scene, { v: 1, at: '2026-06-01T12:00:30.000Z', run: 'forged', type: 'seen', ...about });
    const { plan } = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(plan.changes.find(({ live_id: id }) => id === live_id)?.reasons.join(' ')).toContain(
      'Herald adopted it: user:77 created it.',
    );
  });

  it('is replaced as adopted only with its creator in the plan', async () => {
    const scene = await aSharedAccount(kind);
    const live_id = await liveId(scene, kind, 'Theirs');
    const about = { account: 'alice', account_id: '101', kind, name: 'Theirs', live_id };
    forge(scene, { v: 1, at: '2026-06-01T12:00:30.000Z', run: 'forged', type: 'seen', ...about });
    Object.assign(scene.files.tree, files(kind, { name: 'Theirs', messages: [{ text: 'Ours' }] }));
    const ran = await scene.herald('plan');
    expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain('Herald adopted it: user:77 created it.');
  });

  it('is not paused by hand as if Herald had made it', async () => {
    const scene = await aSharedAccount(kind);
    const line = await claim(scene, kind);
    const ran = await scene.herald(
      `${kind}s`,
      'pause',
      await liveId(scene, kind, 'Theirs'),
      '--account',
      'alice',
      '--yes',
    );
    expect(ran.stdout + ran.stderr).toContain('Herald did not create it.');
    expect(ran.stdout + ran.stderr).toContain(`${LEDGER_FILE}:${line}`);
  });

  it('is not taken for ours where no one says who made it, but it is older than its create', async () => {
    const scene = await aSharedAccount(kind, { created_at: '2026-05-01T12:00:00Z' });
    await claim(scene, kind, {}, { created_by: null });
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan)).toContain(`unmanaged alice/${kind}/Theirs`);
    expect(plan.plan.diagnostics.map(({ message }) => message).join()).toContain(
      'the service created it at 2026-05-01T12:00:00Z, long before the request',
    );
  });

  it('is not taken for ours where no one says who made it, but its name and its text are others', async () => {
    const scene = await aSharedAccount(kind);
    await claim(scene, kind, { name: 'A' }, { created_by: null });
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(unmanaged|blocked) alice\//)]),
    );
    expect(decisions(plan).filter((words) => !/^(unmanaged|blocked) /.test(words))).toEqual([]);
    expect(plan.plan.diagnostics.map(({ message }) => message).join()).toContain(
      'its name and its text both differ',
    );
  });

  it('teaches no one who we are, whatever a compaction claims to have known', async () => {
    const scene = await aSharedAccount(kind);
    forge(scene, {
      v: 1,
      at: '2026-06-01T12:00:00.000Z',
      run: 'forged',
      type: 'compacted',
      who: 'x',
      before: '2026-06-01T12:00:00.000Z',
      archive: null,
      creators: ['user:77'],
    });
    Object.assign(scene.files.tree, files(kind, { name: 'Theirs', messages: [{ text: 'Ours' }] }));
    const { plan } = await planned(scene);
    expect(plan.changes.find(({ address }) => address.name === 'Theirs')).toMatchObject({
      action: 'blocked',
      needs: expect.arrayContaining(['adopt']),
    });
  });
});

describe.each(KINDS)('what Herald made of a $kind', ({ kind }) => {
  const prune = ['--allow', 'prune', '--allow', 'large'];

  it('stays its own where a person has changed only its name, or only its text', async () => {
    for (const edit of [{ name: 'Renamed by hand' }, { messages: [{ text: 'Another text' }] }]) {
      const scene = await aSharedAccount(kind);
      const id = await liveId(scene, kind, 'A');
      await scene.service((control) =>
        kind === 'campaign' ? control.editCampaign('101', id, edit) : control.editBroadcast('101', id, edit),
      );
      const { plan } = await planned(scene);
      expect(plan.diagnostics.filter(({ code }) => code === 'ledger-contradicted')).toEqual([]);
    }
  });

  it('is known by its creator where a person has changed name and text, and as it is once Herald has changed it', async () => {
    const scene = await aSharedAccount(kind);
    const id = await liveId(scene, kind, 'A');
    const edit = { name: 'Rewritten', messages: [{ text: 'By a person' }] };
    await scene.service((control) =>
      kind === 'campaign' ? control.editCampaign('101', id, edit) : control.editBroadcast('101', id, edit),
    );
    const { plan } = await planned(scene);
    expect(plan.diagnostics.map(({ code }) => code)).toContain('ledger-contradicted');
    expect(decisions({ plan })).toContain(`replace alice/${kind}/A`);
    expect((await applied(scene)).code).toBe(0);
    const after = await planned(scene);
    expect(decisions(after).filter((words) => words.endsWith('/A'))).toEqual([]);
    expect(after.plan.diagnostics.map(({ code }) => code)).not.toContain('ledger-contradicted');
  });

  it('stays its own where the answer to its create did not say who made it', async () => {
    const scene = await aSharedAccount(kind);
    scene.files.tree[LEDGER_FILE] = (scene.files.tree[LEDGER_FILE] ?? '').replaceAll(
      '"created_by":"api_token:1"',
      '"created_by":null',
    );
    withoutOwn(scene, kind);
    const plan = await planned(scene, ...prune);
    expect(decisions(plan)).toContain(`${stop(kind)} alice/${kind}/A`);
    expect(plan.plan.diagnostics.filter(({ code }) => code === 'ledger-contradicted')).toEqual([]);
  });
});

const stop = (kind: Kind) => (kind === 'campaign' ? 'archive' : 'pause');

/** Takes all of the four but the last one out of the files. */
function withoutOwn(scene: Scene, kind: Kind): void {
  const one = kind === 'campaign' ? campaign : broadcast;
  Object.assign(
    scene.files.tree,
    declaring({ [`${kind}s`]: [one({ name: 'D', messages: [{ text: 'I am D' }] })] }),
  );
}

describe('a compacted ledger', () => {
  it('still says who made what, and a forged line of it is found', async () => {
    const scene = await aSharedAccount('campaign');
    scene.clock.move(8 * 86_400_000);
    addLineOfNow(scene);
    expect((await scene.herald('ledger', 'compact', '--keep', '7d', '--drop')).code).toBe(0);
    const known = linesIn(scene).filter(({ type }) => type === 'known');
    expect(linesIn(scene).filter(({ type }) => type === 'intent')).toEqual([]);
    expect(known.length).toBe(4);
    const line = forge(scene, { ...known[0], live_id: await liveId(scene, 'campaign', 'Theirs') });
    withoutOwn(scene, 'campaign');
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan).toSorted()).toEqual([
      ...['A', 'B', 'C'].map((name) => `archive alice/campaign/${name}`),
      'unmanaged alice/campaign/Their other',
      'unmanaged alice/campaign/Theirs',
    ]);
    expect(plan.plan.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'ledger-contradicted', line }),
    );
  });
});
