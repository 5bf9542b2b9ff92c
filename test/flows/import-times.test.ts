import { describe, expect, it } from 'vitest';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { anEmptyScene, fileOf, imported } from '../helpers/imports.ts';

const PATH = 'campaigns/imported/alice.yaml';

/** A broadcast that a person made in Berlin or Kolkata. */
async function aLiveBroadcast(seed: object) {
  const scene = anEmptyScene();
  await scene.service((control) => control.seedBroadcast('101', { id: '55', name: 'Teaser', ...seed }));
  return scene;
}

describe('the schedule of an imported broadcast', () => {
  it.each([
    ['Europe/Berlin', '2026-06-04T16:00:00Z', '2026-06-04T18:00'],
    // Off the whole hour in UTC.
    ['Asia/Kolkata', '2026-06-04T12:30:00Z', '2026-06-04T18:00'],
    // The second 02:00 of that night.
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00+01:00'],
  ])('keeps its zone %s at %s, and its plan is quiet', async (zone, utc, written) => {
    const scene = await aLiveBroadcast({
      scheduled_at: utc,
      scheduled_at_timezone: zone,
      rules: { end_at: '2026-12-01T12:30:00Z', end_at_timezone: 'Asia/Kolkata' },
    });
    const { report } = await imported(scene);
    expect(report).toMatchObject({ imported: 1, left_out: [] });
    expect(fileOf(scene, PATH)).toContain(
      `    scheduled_at: ${written}\n    scheduled_at_timezone: ${zone}\n    rules:\n` +
        '      end_at: 2026-12-01T18:00\n      end_at_timezone: Asia/Kolkata\n',
    );
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('in UTC is written with a Z', async () => {
    const scene = await aLiveBroadcast({ scheduled_at: '2026-06-04T16:00:00Z' });
    await imported(scene);
    expect(fileOf(scene, PATH)).toContain('    scheduled_at: 2026-06-04T16:00Z\n    audience');
  });

  it('that Herald cannot send blocks a new version, and nothing is sent', async () => {
    const scene = await aLiveBroadcast({
      scheduled_at: '2026-06-04T12:30:00Z',
      scheduled_at_timezone: 'Asia/Kolkata',
    });
    await imported(scene);
    scene.files.tree[PATH] = fileOf(scene, PATH).replace('text: Hello', 'text: Goodbye');
    const { code, plan } = await planned(scene);
    expect(code).toBe(5);
    expect(plan.changes[0]?.reasons.join(' ')).toBe(
      `${PATH}:7 is not a whole hour in UTC (2026-06-04T12:30:00Z), and Herald can send no other time. ` +
        'Move it to a whole hour in UTC. After that, Herald would replace it.',
    );
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('follows a live one to another zone, and its end away', async () => {
    const scene = await aLiveBroadcast({
      scheduled_at: '2026-06-04T16:00:00Z',
      scheduled_at_timezone: 'Europe/Berlin',
      rules: { unsend_delay_sec: 60, end_at: '2026-12-01T12:30:00Z', end_at_timezone: 'Asia/Kolkata' },
    });
    await imported(scene);
    await scene.service((control) =>
      control.editBroadcast('101', '55', {
        scheduled_at: '2026-06-04T12:30:00Z',
        scheduled_at_timezone: 'Asia/Kolkata',
      }),
    );
    await imported(scene, '--update');
    expect(fileOf(scene, PATH)).toContain(
      '    scheduled_at: 2026-06-04T18:00\n    scheduled_at_timezone: Asia/Kolkata\n',
    );
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

it('an end before the schedule is imported, and warned of', async () => {
  const scene = await aLiveBroadcast({
    scheduled_at: '2026-06-04T16:00:00Z',
    rules: { end_at: '2026-06-04T15:00:00Z', end_at_timezone: 'UTC' },
  });
  expect((await imported(scene)).report).toMatchObject({ imported: 1, left_out: [] });
  const { code, plan } = await planned(scene);
  expect(code).toBe(0);
  expect(decisions({ plan })).toEqual([]);
  expect((await scene.herald('validate')).stdout).toContain('end-before-schedule');
});

it('a price in half cents is left out with the reason, not rounded', async () => {
  const scene = await aLiveBroadcast({
    messages: [{ text: 'Hi', price_gross: 9.995, attachments: [{ id: '7', type: 'image', is_paid: true }] }],
  });
  const { report } = await imported(scene);
  expect(report).toMatchObject({ imported: 0, files: [] });
  expect(report.left_out[0]?.reason).toContain('messages.0.price_gross: This is not a price.');
});
