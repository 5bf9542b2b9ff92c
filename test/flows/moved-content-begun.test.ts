import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, liveOn, messages, outcomes } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const said = (name: string, text: string, more: object = {}) => ({ name, messages: [{ text }], ...more });
const [[, , campaigns], [, , broadcasts]] = FILES_OF_KINDS;
const LATER = { scheduled_at: '2026-06-01T18:00Z' };

describe('the text of a broadcast that had begun to go out before its pause arrived', () => {
  const begun = async (status: 'paused' | 'recalled') => {
    const scene = aScene({ files: broadcasts(said('A', 'one'), said('B', 'two', LATER)) });
    await applied(scene);
    const id = (await liveOn(scene, '101', 'broadcast')).find(({ name }) => name === 'A')?.id ?? '';
    const set = { status: 'sending', scheduled_at: null, targeted_recipients_count: 5 };
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      nth: 1,
      edit: { kind: 'broadcast', account_id: '101', id, set },
    });
    Object.assign(scene.files.tree, broadcasts(said('A', 'one', { status }), said('B', 'one', LATER)));
    return { scene, id };
  };

  it('is not sent by another resource, in this run or the next one', async () => {
    const { scene, id } = await begun('paused');
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['pause applied', 'replace failed']]);
    expect(messages(run)).toContain(
      `Not started, because ${id} of alice/broadcast/A has the same content and had begun to go out before it was paused.`,
    );
    const again = await applied(scene);
    expect([again.code, outcomes(again)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(again)).toMatch(
      /which has begun to go out, .* To send the rest: herald broadcasts resume \d+ --account alice\. To recall it: .* remove alice\/broadcast\/A from the files\.$/,
    );
  });

  it('is sent by another resource once no file has the first one, as the reason says', async () => {
    const { scene } = await begun('paused');
    await applied(scene);
    for (const path of Object.keys(broadcasts(said('A', 'one')))) delete scene.files.tree[path];
    Object.assign(scene.files.tree, broadcasts(said('B', 'one', LATER)));
    const run = await applied(scene);
    expect([run.code, outcomes(run)], messages(run)).toEqual([0, ['replace applied']]);
  });

  it('is sent by another resource after it was recalled', async () => {
    const { scene } = await begun('recalled');
    const run = await applied(scene, '--allow', 'recall');
    expect(outcomes(run), messages(run)).toEqual(['recall applied', 'replace applied']);
  });
});

it('says what is true of a start that waited for a replace which succeeded later', async () => {
  const scene = aScene({ files: campaigns(said('A', 'one'), said('B', 'two')) });
  await applied(scene);
  Object.assign(scene.files.tree, campaigns(said('A', 'three'), said('B', 'one')));
  const lost = { kind: 'broken_answer', when: 'before_commit', how: 'reset', nth: 1 } as const;
  await scene.fault({ ...lost, operation: 'campaigns.create' });
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([4, ['replace applied', 'replace failed']]);
  expect(messages(run)).toMatch(
    /has the same content, and its change had not succeeded by then\..* Once that change has succeeded, run "herald apply" again\./,
  );
  expect((await applied(scene)).code).toBe(0);
});
