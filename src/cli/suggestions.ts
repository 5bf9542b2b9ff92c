import { Option } from 'commander';

/** An option that takes any value. Completion offers these words. */
export class SuggestingOption extends Option {
  readonly words: readonly string[];

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, description);
    this.words = words;
  }
}
