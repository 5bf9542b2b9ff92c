import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, outcomes, planned, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const paid = [{ id: '5', type: 'image', is_paid: true }];

async function standing(campaigns: readonly Record<string, unknown>[]): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns }) });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

async function edit(scene: Scene, set: object): Promise<void> {
  const [object] = await liveOn(scene, '101', 'campaign');
  await scene.service((control) => control.editCampaign('101', object?.id ?? '', set));
}

describe('what is not a difference', () => {
  it.each([
    { title: 'defaults that the file leaves out', declared: campaign(), live: {} },
    {
      title: 'a rule that the file does not mention',
      declared: campaign({ rules: { unsend_delay_sec: 60 } }),
      live: { rules: { unsend_delay_sec: 60, mimic_on_reply_enabled: true } },
    },
    {
      title: 'a price with noise behind its cents',
      declared: campaign({ messages: [{ text: 'Hey', price_gross: 9.9, attachments: paid }] }),
      live: { messages: [{ text: 'Hey', price_gross: 9.9, attachments: paid }] },
    },
    {
      title: 'line ends of another system and line breaks at the end',
      declared: campaign({ messages: [{ text: 'Hey\nyou' }] }),
      live: { messages: [{ text: 'Hey\r\nyou\r\n' }] },
    },
    {
      title: 'the form in which an accent is written',
      declared: campaign({ messages: [{ text: 'Café' }] }),
      live: { messages: [{ text: 'Cafe\u0301' }] },
    },
  ])('$title', async ({ declared, live }) => {
    const scene = await standing([declared]);
    await edit(scene, live);
    const before = await writesSent(scene);
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await scene.herald('drift')).code).toBe(0);
    expect((await applied(scene)).code).toBe(0);
    expect(await writesSent(scene)).toEqual(before);
  });

  it('a price of 9.9000001 on the wire', async () => {
    const scene = await standing([
      campaign({ messages: [{ text: 'Hey', price_gross: 9.9, attachments: paid }] }),
    ]);
    const messages = [{ step: 0, text: 'Hey', price_gross: 9.9000001, attachments: paid }];
    await scene.fault({ kind: 'odd_reply', operation: 'campaigns.list', set: { messages } });
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

describe('what is a difference', () => {
  it('a fan list of another name behind the same id, which no reply shows', async () => {
    const scene = aScene({ files: declaring({ campaigns: [listing({ name: 'Regulars' })] }) });
    expect((await applied(scene)).code).toBe(0);
    expect(decisions(await planned(scene))).toEqual([]);
    Object.assign(scene.files.tree, declaring({ campaigns: [listing({ name: 'Others' })] }));
    expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Welcome']);
    const { plan } = await planned(aScene({ files: scene.files.tree }));
    expect(decisions({ plan }), 'never called drift without the state').toEqual([]);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['unverifiable']);
  });

  it('a pinned list id that the service did not give, once and with a warning', async () => {
    const scene = aScene({ files: declaring({ campaigns: [listing({ name: 'Regulars', id: '7' })] }) });
    const [created] = (await applied(scene)).report.outcomes;
    expect(created?.message).toContain('The service changed audience_filters while creating it.');
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('a word that someone changed by hand, shown by drift and fixed by apply', async () => {
    const scene = await standing([campaign()]);
    await edit(scene, { messages: [{ text: 'Hey you' }] });
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain('Hey');
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
    expect((await scene.herald('drift')).code).toBe(0);
  });
});

function listing(list: { name: string; id?: string }): Record<string, unknown> {
  const { audience: _everyone, ...rest } = campaign();
  return {
    ...rest,
    audience_filters: [{ kind: 'purchased_from_organisation', mode: 'include', options: { lists: [list] } }],
  };
}

describe('an apply without changes', () => {
  it('says so once, in its result', async () => {
    const scene = await standing([campaign()]);
    const ran = await scene.herald('apply', '--yes');
    expect(ran.stdout).toBe('No changes: 1 unchanged.\n');
    expect(ran.stderr).toContain('Service: ');
    expect(ran.stderr).not.toContain('No changes');
  });
});
