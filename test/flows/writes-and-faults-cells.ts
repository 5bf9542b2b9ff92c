/**
 * What each write comes to with each fault: the outcome and the exit code, how often its request left (`+2`: next to two others
 * that change something), and what people have in the end. After the bar, the same for the command once more, without the fault;
 * left out where it does nothing more.
 */
type Cells = Readonly<Record<string, string>>;

/** The same cell for each of some faults. */
const withEach = (faults: readonly string[], cell: string): Cells =>
  Object.fromEntries(faults.map((fault) => [fault, cell]));

/** What is carried out and answered, if not at once. */
const smooth = (cell: string) =>
  withEach(['no fault', 'no connection at first', 'half done', 'shown 8 s later'], cell);

/** A refusal with whatever status. */
const refused = (cell: string) =>
  withEach(['refused with 400', 'refused with 401', 'refused with 403', 'refused with 409'], cell);

/** What is carried out without an answer of the service itself. */
const unanswered = (cell: string) =>
  withEach(
    [
      '500 once, carried out',
      '502 of a gateway each time, carried out',
      'reset, carried out',
      'reset, carried out 60 s later',
      'answered too late',
    ],
    cell,
  );

const CREATE: Cells = {
  ...refused('failed 1 ×1 - | applied 0 ×1 new'),
  ...smooth('applied 0 ×1 new'),
  ...unanswered('adopted 0 ×1 new'),
  '429 once': 'applied 0 ×2 new',
  '429 each time': 'failed 1 ×10 - | applied 0 ×1 new',
  '500 each time, not carried out': 'failed 1 ×2 - | applied 0 ×1 new',
  'reset, not carried out': 'applied 0 ×2 new',
  'cut off, carried out': 'adopted 0 ×1 new',
};

const mapCells = (cells: Cells, map: (cell: string) => string): Cells =>
  Object.fromEntries(Object.entries(cells).map(([fault, cell]) => [fault, map(cell)]));

/** Next to a create, it pauses the old one, and starts it again where the create is refused. */
const REPLACE: Cells = {
  ...mapCells(CREATE, (cell) => cell.replaceAll(/(×\d+) new/g, '$1+1 new')),
  ...refused('failed 1 ×1+2 old | applied 0 ×1+1 new'),
  '429 each time': 'failed 1 ×10+2 old | applied 0 ×1+1 new',
  '500 each time, not carried out': 'failed 4 ×2+1 - | applied 0 ×1 new',
};

const PAUSE_OLD: Cells = {
  ...refused('failed 1 ×1 old | applied 0 ×1+1 new'),
  ...smooth('applied 0 ×1+1 new'),
  ...unanswered('applied 0 ×2+1 new'),
  '429 once': 'applied 0 ×2+1 new',
  '429 each time': 'failed 1 ×10 old | applied 0 ×1+1 new',
  '500 each time, not carried out': 'failed 1 ×18 old | applied 0 ×1+1 new',
  '502 of a gateway each time, carried out': 'unknown 3 ×27 - | applied 0 ×1+1 new',
  'reset, not carried out': 'applied 0 ×2+1 new',
  'cut off, carried out': 'applied 0 ×1+1 new',
  'half done': 'applied 0 ×2+1 new',
};

const PAUSE: Cells = {
  ...refused('failed 1 ×1 new | applied 0 ×1 -'),
  ...smooth('applied 0 ×1 -'),
  ...unanswered('applied 0 ×2 -'),
  '429 once': 'applied 0 ×2 -',
  '429 each time': 'failed 1 ×10 new | applied 0 ×1 -',
  '500 each time, not carried out': 'unknown 3 ×27 new | applied 0 ×1 -',
  '502 of a gateway each time, carried out': 'unknown 3 ×27 - | unchanged 0 ×1 -',
  'reset, not carried out': 'applied 0 ×2 -',
  'cut off, carried out': 'applied 0 ×1 -',
  'half done': 'applied 0 ×2 -',
};

/** The reverse of a pause: who had it has nothing, and the other way round. */
const ACTIVATE: Cells = {
  ...mapCells(PAUSE, (cell) =>
    cell.replaceAll(/ (?:new|-)(?= \||$)/g, (end) => (end === ' -' ? ' new' : ' -')),
  ),
  // A person may have stopped it in between.
  '500 each time, not carried out': 'failed 1 ×9 - | blocked 5 ×0 -',
};

const FOLLOW: Cells = {
  ...refused('service-error 1 ×1 - | done 0 ×1 new'),
  ...smooth('done 0 ×1 new'),
  ...unanswered('done 0 ×2 new'),
  '429 once': 'done 0 ×2 new',
  '429 each time': 'service-error 1 ×10 - | done 0 ×1 new',
  '500 each time, not carried out': 'unknown-outcome 3 ×2 - | done 0 ×1 new',
  '502 of a gateway each time, carried out': 'unknown-outcome 3 ×2 new',
  'reset, not carried out': 'done 0 ×2 new',
  'cut off, carried out': 'done 0 ×2 new',
};

const RECALL: Cells = {
  ...PAUSE,
  ...unanswered('adopted 0 ×1 -'),
  'refused with 400': 'failed 1 ×1 new',
  'refused with 409': 'failed 1 ×1 new',
  '500 each time, not carried out': 'unknown 3 ×3 new | applied 0 ×1 -',
  'half done': 'applied 0 ×1 -',
};

/** Where a write is like another one, only what differs is written. */
export const CELLS: Readonly<Record<string, Cells>> = {
  'create a campaign': CREATE,
  'replace a campaign': REPLACE,
  'pause the old one of a replaced campaign': PAUSE_OLD,
  'pause a campaign': PAUSE,
  'activate a campaign': ACTIVATE,
  'archive a campaign': PAUSE,
  'recall a campaign': RECALL,
  'create a broadcast': CREATE,
  'replace a broadcast': REPLACE,
  'pause the old one of a replaced broadcast': {
    ...PAUSE_OLD,
    '502 of a gateway each time, carried out': 'applied 0 ×9+1 new',
    'half done': 'applied 0 ×1+1 new',
  },
  'pause a broadcast': {
    ...PAUSE,
    '502 of a gateway each time, carried out': 'adopted 0 ×9 -',
    'half done': 'applied 0 ×1 -',
  },
  'resume a broadcast': {
    ...ACTIVATE,
    'refused with 400': 'failed 1 ×1 - | blocked 5 ×0 -',
    'refused with 409': 'failed 1 ×1 - | blocked 5 ×0 -',
    '500 once, carried out': 'adopted 0 ×2 new',
    '502 of a gateway each time, carried out': 'adopted 0 ×9 new',
    'reset, carried out': 'adopted 0 ×2 new',
    'answered too late': 'adopted 0 ×2 new',
    'half done': 'applied 0 ×1 new',
  },
  'recall a broadcast': {
    ...RECALL,
    ...unanswered('unknown 3 ×1 - | blocked 5 ×0 -'),
    '500 each time, not carried out': 'unknown 3 ×1 new | blocked 5 ×0 new',
    'reset, not carried out': 'unknown 3 ×1 new | blocked 5 ×0 new',
  },
  'stop a campaign by hand': {
    ...PAUSE,
    '500 each time, not carried out': 'unknown 3 ×9 new | applied 0 ×1 -',
    '502 of a gateway each time, carried out': 'unknown 3 ×9 -',
  },
  'send a chat message': {
    ...refused('service-error 1 ×1 - | queued 0 ×1 new'),
    ...smooth('queued 0 ×1 new'),
    ...unanswered('unknown-outcome 3 ×1 new | open-request 3 ×0 new'),
    '429 once': 'queued 0 ×2 new',
    '429 each time': 'service-error 1 ×34 - | queued 0 ×1 new',
    '500 each time, not carried out': 'unknown-outcome 3 ×1 - | open-request 3 ×0 -',
    'reset, not carried out': 'unknown-outcome 3 ×1 - | open-request 3 ×0 -',
    'cut off, carried out': 'unknown-outcome 3 ×1 new | open-request 3 ×0 new',
  },
  'request a payout': {
    ...CREATE,
    ...refused('service-error 1 ×1 - | requested 0 ×1 new'),
    ...smooth('requested 0 ×1 new'),
    '429 once': 'requested 0 ×2 new',
    '429 each time': 'service-error 1 ×37 - | requested 0 ×1 new',
    '500 each time, not carried out': 'unknown-outcome 3 ×1 - | open-request 3 ×0 -',
    'reset, not carried out': 'unknown-outcome 3 ×1 - | open-request 3 ×0 -',
  },
  'follow a fan': FOLLOW,
  'label a fan': {
    ...FOLLOW,
    '500 each time, not carried out': 'unknown-outcome 3 ×8 - | done 0 ×1 new',
    '502 of a gateway each time, carried out': 'unknown-outcome 3 ×8 new',
  },
};
