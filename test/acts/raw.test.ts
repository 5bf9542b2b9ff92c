import { describe, expect, it } from 'vitest';
import { refuseRawWrite, sendRaw } from '../../src/acts/raw.ts';
import { CATALOGUE, OPERATIONS, rowOf } from '../../src/api/catalogue.ts';
import { rawRow } from '../../src/api/raw-row.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

/** A call that Herald does not know. The simulator answers 404 for it. */
const PATH = '/api/v0/accounts/101/new-things';
const raw = (scene: ActScene, body: object = { size: 1 }, options: RunOptions = {}) =>
  summarise(
    scene.act(
      (run) =>
        sendRaw(
          run,
          {
            name: `POST ${PATH}`,
            row: rawRow({ method: 'POST', path: PATH }, true),
            input: { params: {}, body },
            account: ALICE,
          },
          null,
        ),
      options,
    ),
  );

/** A write of the catalogue, sent as it was typed. Only these reach the faults of the simulator. */
const known = (scene: ActScene, options: RunOptions = {}) =>
  summarise(
    scene.act(
      (run) =>
        sendRaw(
          run,
          {
            name: 'vault.upload-start',
            row: rowOf('vault.upload-start'),
            input: {
              params: { account_id: '101' },
              body: { name: 'a.jpg', size: 10, content_type: 'image/jpeg' },
            },
            account: ALICE,
          },
          null,
        ),
      options,
    ),
  );

describe('a raw call', () => {
  it('is refused for every write that has a command, and the message has the command', () => {
    const writes = OPERATIONS.filter((name) => CATALOGUE[name].method !== 'GET');
    for (const name of writes) expect(() => refuseRawWrite(name), name).toThrow(/has a command of its own/);
    expect(() => refuseRawWrite('campaigns.list')).not.toThrow();
    expect(() => refuseRawWrite(`POST ${PATH}`)).not.toThrow();
  });

  it.each([
    ['is answered', null, 'done', 'done', 1],
    [
      'is not repeated after a lost request',
      lost.before('vault.upload-start'),
      'unknown unknown-outcome',
      'open',
      1,
    ],
    [
      'is not repeated after a lost answer',
      lost.after('vault.upload-start'),
      'unknown unknown-outcome',
      'open',
      1,
    ],
    ['is sent again after a 429', lost.throttled('vault.upload-start'), 'done', 'done', 1],
    ['is sent again without a connection', lost.refusedConnection('vault.upload-start'), 'done', 'done', 2],
  ] as const)('%s', async (_, fault, result, recorded, count) => {
    const scene = actScene();
    if (fault !== null) scene.control.addFault(fault);
    expect(await known(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    expect(scene.count('vault.upload-start')).toBe(count);
  });

  it('keeps what the service refused', async () => {
    const scene = actScene();
    expect(await raw(scene)).toBe('failed');
    expect(await outcomes(scene)).toBe('refused');
  });

  it.each(['begun', 'answered'] as const)(
    'blocks the next one after a kill when it has %s, until a person closes it',
    async (killAt) => {
      const scene = actScene();
      expect(await known(scene, { killAt })).toBe('killed');
      const count = scene.count('vault.upload-start');
      expect(await known(scene)).toBe('unknown open-request');
      expect(scene.count('vault.upload-start')).toBe(count);
      const [request] = await scene.requests();
      await scene.closeRequest(request?.entry ?? '');
      expect(await known(scene)).toBe('done');
    },
  );

  it('is not sent after an interrupt', async () => {
    const scene = actScene();
    expect(await raw(scene, {}, { isInterrupted: true })).toBe('interrupted interrupted');
    expect(await outcomes(scene)).toBe('');
  });
});
