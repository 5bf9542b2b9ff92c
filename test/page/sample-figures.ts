import type { Figure } from '../../src/page/figures.tsx';

/** Invented numbers, of both kinds of figures. */
export const SAMPLE_FIGURES: readonly Figure[] = [
  {
    kind: 'funnel',
    title: 'Welcome series, by version',
    note: 'Share of targeted fans, all 12 accounts, first message',
    stages: ['Targeted', 'Sent', 'Replied', 'Bought'],
    versions: [
      { name: 'Until 8 Mar', counts: [8_412, 8_120, 2_436, 731] },
      { name: 'Since 8 Mar', counts: [2_205, 2_140, 706, 231] },
    ],
  },
  {
    kind: 'daily',
    title: 'Revenue by day',
    note: 'Last 28 days by account',
    rows: ['alba', 'bruno', 'cleo', 'dara'].map((name, row) => ({
      name,
      dollars: Array.from({ length: 28 }, (_, day) => 20 + ((day * 37 + row * 53) % 90)),
    })),
  },
];
