import { Option } from 'commander';

/** What every job of `herald ci` may be told. */
export interface JobFlags {
  readonly allowUnsafeEvent: boolean;
  /** An embedded simulator may stand in for the service. */
  readonly simulator: boolean;
}

export const JOB_OPTIONS = {
  unsafeEvent: () =>
    new Option(
      '--allow-unsafe-event',
      'run on any event, although a stranger may have written the files that are checked out',
    ).default(false),
  simulator: () =>
    new Option('--simulator', 'use the embedded simulator of herald.yaml; nothing is sent').default(false),
} as const;
