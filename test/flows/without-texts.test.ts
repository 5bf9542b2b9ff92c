import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, dieWithLateCreate, outcomes } from '../helpers/flows.ts';
import { SEND } from '../helpers/chats.ts';
import { REWRITTEN_KINDS as KINDS, rewriting, SENT, SHOWN } from '../helpers/rewrites.ts';
import { aScene, LEDGER_FILE, WORKSPACE, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const MINUTE = 60_000;

function sceneWithoutTexts(files: Readonly<Record<string, string>>): Scene {
  return aScene({ files: { ...files, 'herald.yaml': `${WORKSPACE}state: { store_texts: false }\n` } });
}

function ledgerOf(scene: Scene): string {
  return scene.files.tree[LEDGER_FILE] ?? '';
}

const welcome = (text: string) => declaring({ campaigns: [campaign({ messages: [{ text }] })] });

describe.each(KINDS)('a $kind, with a ledger without texts', (what) => {
  it('leaves no text in the ledger, and needs nothing more', async () => {
    const scene = sceneWithoutTexts(what.files());
    expect((await applied(scene)).code).toBe(0);
    expect(ledgerOf(scene)).toContain('text-sha256:');
    expect(ledgerOf(scene)).not.toContain(SENT);
    await expectQuiet(scene);
  });

  it('is accepted with the text that the service made of it in its answer', async () => {
    const scene = sceneWithoutTexts(what.files());
    await rewriting(scene, what, 0);
    expect((await applied(scene)).code).toBe(0);
    scene.clock.move(MINUTE);
    expect(ledgerOf(scene)).toContain('"rewrite"');
    expect(ledgerOf(scene)).not.toContain(SHOWN);
    await expectQuiet(scene);
    expect(await createsSent(scene)).toBe(1);
  });

  it('is replaced only once where the service rewrites its text some seconds later', async () => {
    const scene = sceneWithoutTexts(what.files());
    await rewriting(scene, what);
    await applied(scene);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual([]);
  });
});

describe('a create without an answer, with a ledger without texts', () => {
  it('is recognised by its digest, and not made again', async () => {
    const scene = sceneWithoutTexts(welcome('Hey'));
    await dieWithLateCreate(scene);
    scene.clock.move(5 * MINUTE);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('is recognised after the file has another text, and replaced', async () => {
    const scene = sceneWithoutTexts(welcome('Hey'));
    await dieWithLateCreate(scene);
    scene.clock.move(5 * MINUTE);
    Object.assign(scene.files.tree, welcome('Hello'));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    await expectNoOneGetsItTwice(scene);
  });
});

describe('commands, with a ledger without texts', () => {
  it('compare two versions, and say that the texts are not stored', async () => {
    const scene = sceneWithoutTexts(welcome('Hey'));
    await applied(scene);
    Object.assign(scene.files.tree, welcome('Hello'));
    await applied(scene);
    const { code, stdout } = await scene.herald('history', 'diff', 'alice/campaign/Welcome');
    expect(code).toBe(0);
    expect(stdout).toMatch(/messages\[0\]\.text: .*\(not stored, digest [0-9a-f]{8}\)/);
    expect(stdout).toContain('Texts are not stored (state.store_texts: false in herald.yaml).');
    expect(stdout).toContain('1 field differs.');
  });

  it('record a chat message without its beginning', async () => {
    const scene = sceneWithoutTexts({});
    const ran = await scene.herald(...SEND, '--text', 'Only for you', '--yes');
    expect(ran.code).toBe(0);
    expect(ledgerOf(scene)).toContain('"operation":"chat.send"');
    expect(ledgerOf(scene)).not.toContain('Only for you');
  });
});
