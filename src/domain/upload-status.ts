import type { WithStatus } from './status.ts';

/** The statuses that the service names for an upload, from the first to the last (VAULT-12). */
const UPLOAD_STATUSES = [
  'uploaded',
  'processing',
  'processed',
  'exporting',
  'exported',
  'failed',
  'unprocessable',
] as const;
type NamedUploadStatus = (typeof UPLOAD_STATUSES)[number];

/** `none` and `unnamed`: a record without a status, or with one that this version cannot name. */
export type UploadStatus = NamedUploadStatus | 'none' | 'unnamed';

interface UploadTraits {
  /** Only an upload that is being exported has it. */
  readonly isExport: boolean;
  /** How an upload that has it ended; null while it goes on, or where nobody can tell. */
  readonly end: 'exported' | 'failed' | 'unprocessable' | null;
  /** It goes on by itself, so that there is nothing to queue again. */
  readonly moves: boolean;
}

/** What each status of an upload means. */
export const UPLOAD_TRAITS: Readonly<Record<UploadStatus, UploadTraits>> = {
  uploaded: { isExport: false, end: null, moves: false },
  processing: { isExport: true, end: null, moves: true },
  processed: { isExport: true, end: null, moves: false },
  exporting: { isExport: true, end: null, moves: true },
  exported: { isExport: true, end: 'exported', moves: false },
  failed: { isExport: true, end: 'failed', moves: false },
  unprocessable: { isExport: true, end: 'unprocessable', moves: false },
  none: { isExport: false, end: null, moves: false },
  unnamed: { isExport: false, end: null, moves: false },
};

/** Reads the status of an upload; its record keeps the text. */
export function uploadStatusOf({ status }: WithStatus): UploadStatus {
  if (status === null || status === undefined) return 'none';
  return UPLOAD_STATUSES.find((one) => one === status) ?? 'unnamed';
}
