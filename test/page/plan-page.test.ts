import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { renderPlanPage as page } from '../../src/page/page.tsx';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { HOSTILE_TEXTS, withTexts } from './hostile.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';
import { readBack } from '../../src/page/read-back.ts';

/** What a browser shows, as far as tags can be left out. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

/** The sample with these parts in each content. */
const withContents = (parts: object): Plan => ({
  ...SAMPLE_PLAN,
  contents: SAMPLE_PLAN.contents?.map((content) => ({ ...content, ...parts })),
});

describe('a page', () => {
  it('says first what service it is about, what changes, and what needs a person', () => {
    const words = wordsOf(page(SAMPLE_PLAN));
    const order = [
      'Real service',
      'https://api.example',
      'northlight',
      'planned Fri 27 Mar 2026 14:32 Europe/Berlin (13:32 UTC)',
      '40 changes on 12 accounts, 1 blocked',
      'Apply leaves out what is blocked, and exits with 5.',
      '2 cannot be undonePresale note and Welcome back',
      '1 blockedStudio diary',
      '21 live at oncePractice week and Welcome series',
      '$9.99 to $14.50 price20 of 73 messages paid',
      '12 accounts reach24 of 33 to everyone',
      '17 to create',
      'Before you approve',
      '2 cannot be undone',
      '1 blocked',
      'herald apply --allow resume',
      '1 warning',
      '4 deadlines',
      'Changes',
      'Calendar',
      'Accounts',
    ];
    let at = 0;
    for (const part of order) {
      const next = words.indexOf(part, at);
      expect(next, part).toBeGreaterThanOrEqual(at);
      at = next;
    }
  });

  it('names the declared zone of every time, and UTC', () => {
    const html = page(SAMPLE_PLAN);
    const times = [...html.matchAll(/<time[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(times.length).toBeGreaterThan(4);
    for (const time of times) expect(time).toMatch(/ 2026 \d\d:\d\d Europe\/Berlin \(.*\d\d:\d\d UTC\)$/);
    const newYork = withContents({});
    const [first] = newYork.deadlines?.filter(({ what }) => what === 'sends') ?? [];
    for (const one of newYork.contents ?? []) if (one.name === first?.name) one.timezone = 'America/New_York';
    for (const part of [
      /<div class="must">[\s\S]*?<\/div><\/li><\/ul>/,
      /<ol class="events">[\s\S]*?<\/ol>/,
    ]) {
      const [text] = part.exec(page(newYork)) ?? [];
      expect(text).toContain('America/New_York (');
      expect(text).toContain('Europe/Berlin (');
    }
  });

  it('shows the same edit on many accounts once, and what differs from it on its own', () => {
    const words = wordsOf(page(SAMPLE_PLAN));
    expect(words.match(/Replace campaign\./g)).toHaveLength(3);
    expect(words).toMatch(/Replace campaign\. Differs in text of message 1\.10 accounts/);
    expect(words).toContain('{{first_name}}: "Alba" on alba, "Bruno" on bruno, … and 8 more');
    expect(words).toMatch(/Differs in text of message 1 and price of message 3\.hugo/);
    expect(words).toMatch(/Price of message 3 live → file *\$9\.99 *\$11\.99/);
  });

  it('marks the words that differ, and keeps variables where accounts have their own', () => {
    const html = page(SAMPLE_PLAN);
    expect(html).toContain('<del>joining</del>');
    expect(html).toContain('<ins>being here</ins>');
    expect(html).toContain('Hey, it is {{first_name}}');
  });

  it('shows every rule of what is created, also one without a place in the preview', () => {
    const fields = [{ path: 'rules.mimic_on_reply_enabled', old: null, new: true }];
    const html = page({
      ...SAMPLE_PLAN,
      changes: SAMPLE_PLAN.changes.map((one) => (one.action === 'create' ? { ...one, fields } : one)),
    });
    expect(wordsOf(html)).toContain('Mimic on reply enabledtrue');
  });

  it('shows what a fan gets: delays, locked media, price and variables', () => {
    const html = page(SAMPLE_PLAN);
    const words = wordsOf(html);
    for (const part of [
      'A fan subscribes',
      '30–90 s later',
      '1 h later',
      '1 day later',
      'Video 55013',
      'locked',
      'Unlock for $9.99',
      'Not read after 7 days: recalled',
    ])
      expect(words).toContain(part);
    expect(html).toContain('<span class="var" data-var="first_name">Alba</span>');
  });

  it('has each broadcast in the calendar once, at its time: one that moves at its new one', () => {
    const html = page(SAMPLE_PLAN);
    const events = /<ol class="events">([\s\S]*?)<\/ol>/.exec(html)?.[1]?.split(/<li[ >]/) ?? [];
    expect(events).toHaveLength(6);
    const [moved] = events.filter((text) => text.includes('Spring challenge'));
    expect(moved).toMatch(
      /Sun 29 Mar 2026 19:00 Europe\/Berlin \(17:00 UTC\).* cx="79\.2%".*replace, 4 accounts/,
    );
  });

  it('shows unmanaged objects only where Herald created them, with the command that stops them', () => {
    const reasons = ['Live (active) and unmanaged.'];
    const words = wordsOf(
      page(
        aPlan([
          aChange({ name: 'Ours', action: 'unmanaged', needs: ['prune'], reasons }),
          aChange({ name: 'Theirs', action: 'unmanaged', reasons }),
        ]),
      ),
    );
    expect(words).toContain('2 unmanaged');
    expect(words).toContain('Unmanaged campaign. Live (active) and unmanaged.');
    expect(words).toContain('To allow itherald apply --allow prune --target alice/campaign/Ours');
    expect(words).not.toContain('Theirs');
  });

  it('names the errors first, with a link to the change of each', () => {
    const change = aChange({ name: 'Welcome' });
    const about = { code: 'policy-denied', address: 'alice/campaign/Welcome' } as const;
    const plan = aPlan([change], {
      diagnostics: [
        { severity: 'warning', message: 'A long text.', ...about },
        { severity: 'error', message: 'A banned word.', ...about },
        { severity: 'error', message: 'No price.', code: 'policy-denied' },
      ],
    });
    const words = wordsOf(page(plan));
    expect(words).toMatch(
      /2 errors: apply refuses this plan *No price\. *Welcome on alice: A banned word\..*1 warning *Welcome on alice: A long text\./,
    );
  });
});

describe('a page holds its plan', () => {
  it('and gives it back unchanged', () => {
    expect(readBack(page(SAMPLE_PLAN))).toEqual({ title: 'plan', document: SAMPLE_PLAN });
    expect(readBack(page(SAMPLE_PLAN, { title: 'drift' })).title).toBe('drift');
  });

  it.each([
    '',
    '<html><script type="application/json" id="plan">{}</script></html>',
    '<script type="application/json" id="plan" data-title="plan">{"a":',
  ])('and any other text holds none: %j', (text) => {
    expect(readBack(text).document).toBeUndefined();
  });
});

describe('text from outside', () => {
  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 20), text]))(
    'never becomes markup, and is in the plan as it was: %j',
    (_, text) => {
      const plan = withTexts(SAMPLE_PLAN, text);
      const html = page(plan, {
        pictures: new Map([[text, { kind: 'shown', url: 'data:image/png;base64,AA==' }]]),
      });
      expect(readBack(html).document).toEqual(plan);
      expect(html.match(/<script/g)).toHaveLength(2);
      expect(html.match(/<style/g)).toHaveLength(1);
      const tags = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').match(/<[^>]*>/g) ?? [];
      expect(tags.length).toBeGreaterThan(50);
      for (const tag of tags) {
        expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\son\w+=|\sstyle=/);
        expect(tag).not.toMatch(/(?:href|src)="(?!#|data:(?:image\/|text\/calendar;base64,[\w+/=]*"))/);
      }
    },
  );

  it('shows characters that could disguise it as their code', () => {
    const html = page(withTexts(SAMPLE_PLAN, 'invoice\u202Egpj.exe\u0000'));
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000]/);
    expect(wordsOf(html)).toContain('invoiceU+202Egpj.exeU+0000');
  });

  it('of a megabyte is cut to what can be read, and is whole in the plan', () => {
    const plan = withContents({ messages: [{ text: 'word '.repeat(200_000) }] });
    const html = page(plan);
    expect(wordsOf(html)).toContain('The rest, 999,');
    expect(readBack(html).document).toEqual(plan);
  });
});

describe('a page of little, or of odd values', () => {
  it('without changes says so, and still has its accounts', () => {
    const words = wordsOf(
      page(aPlan([aChange({ action: 'keep' }), aChange({ account: 'bob', action: 'keep' })])),
    );
    expect(words).toContain('No changes');
    expect(words).toContain('2 resources match.');
    expect(words).toContain('Nothing needs a decision.');
    expect(words).toContain('No broadcasts from this day on.');
    expect(words).toContain('Accountunchangedalice1bob1');
  });

  it('shows a trigger and a kind of media that it does not know as they are', () => {
    const attachments = [{ type: 'hologram', id: '99' }];
    const plan = withContents({ status: 'levitating', trigger: 'full_moon', messages: [{ attachments }] });
    const words = wordsOf(page(plan));
    expect(words).toContain('Triggerfull_moon');
    expect(words).toContain('Hologram 99');
  });

  it('shows a medium without a known picture by its name', () => {
    const attachments = [{ type: 'image', file: 'media/gone.png', size: 2_048 }];
    const html = page(withContents({ messages: [{ attachments }] }), { pictures: new Map() });
    expect(html).not.toContain('class="pic"');
    expect(wordsOf(html)).toMatch(/Photo media\/gone\.png *free, 2(?:\.0)? KiB *Its file was not read/);
  });

  it('with unknown zones, times and references is still a page', () => {
    const plan: Plan = {
      ...withContents({ timezone: 'Mars/Olympus', scheduled_at: 'later' }),
      planned_at: 'soon',
      policy: { quiet_hours: { from: 'x', to: 'y', timezone: 'Mars/Olympus' } },
      changes: SAMPLE_PLAN.changes.map((change) => ({ ...change, content: 99 })),
      deadlines: [{ at: 'never', what: 'sends', kind: 'broadcast', name: 'X', accounts: [] }],
    };
    expect(wordsOf(page(plan))).toContain('40 changes on 12 accounts');
  });
});

it('the page is closed: its policy names the hash of each script and style, and it refers to nothing outside of itself', () => {
  const html = page(SAMPLE_PLAN);
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy?.replaceAll('&#39;', "'")).toMatch(
    /^default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/,
  );
  const shown = html.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
  expect(shown).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(shown).not.toMatch(/url\(|@import/);
});
