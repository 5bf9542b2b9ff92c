import type { Mutant } from '../mutant.ts';

/** Times of the service without a zone. The chaos run is in one zone, so a test must find each. */
export const TIMES: readonly Mutant[] = [
  {
    name: 'an end without a zone has passed in the zone of the machine',
    protects:
      'A campaign with an end without a zone counts as running until no zone is left in which it runs.',
    file: 'src/domain/passed-end.ts',
    find: 'fullInstantMs(endAt) ?? fullInstantMs(`${endAt}${LAST_ZONE}`)',
    replace: 'fullInstantMs(endAt) ?? Date.parse(`${endAt}${LAST_ZONE.slice(9)}`)',
    test: { file: 'test/domain/passed-end.test.ts', name: 'wherever this machine is' },
  },
  {
    name: 'times are compared in the zone of the machine',
    protects: 'A live time without a zone equals the same time in UTC, wherever Herald runs.',
    file: 'src/plan/compare/normalise.ts',
    find: 'fullInstantMs(text) ?? fullInstantMs(`${text}Z`)',
    replace: '(Date.parse(text) || null) ?? fullInstantMs(`${text}Z`)',
    test: { file: 'test/plan/compare-instants.test.ts', name: 'wherever this machine is' },
  },
  {
    name: 'a time without a zone is a full instant',
    protects: 'Only a date-time with its zone is read as an instant.',
    file: 'src/domain/full-instant.ts',
    find: '(?:[Zz]|[+-]\\d{2}:?\\d{2})$/',
    replace: '(?:[Zz]|[+-]\\d{2}:?\\d{2})?$/',
    test: { file: 'test/domain/full-instant.test.ts', name: 'in any zone of the machine' },
  },
];
