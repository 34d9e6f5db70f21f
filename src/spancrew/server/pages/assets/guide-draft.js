// The guide as it is being written, and whether that is what the server has.

const OTHER = { examples: "practice", practice: "examples" };

/** Holds instructions, examples and practice; `onChange` hears of every change. */
export class Draft {
  constructor({ instructions, examples, practice }, onChange) {
    Object.assign(this, { instructions, examples, practice, onChange });
    this.saved = JSON.stringify(this.body);
  }

  /** Return what the server is to keep. */
  get body() {
    const lessons = (part) =>
      part.map(({ sentence: { text, tokens }, spans, note }) => ({ sentence: { text, tokens }, spans, note }));
    return { instructions: this.instructions, examples: lessons(this.examples), practice: lessons(this.practice) };
  }

  get isSaved() {
    return JSON.stringify(this.body) === this.saved;
  }

  /** Remember what the server has taken; what was written meanwhile is not saved yet. */
  took(body) {
    this.saved = JSON.stringify(body);
    this.onChange();
  }

  write(instructions) {
    this.instructions = instructions;
    this.onChange();
  }

  /** Change the spans or the note of a lesson. */
  change(lesson, values) {
    Object.assign(lesson, values);
    this.onChange();
  }

  add(part, sentences) {
    const lessons = sentences.map((sentence) => ({ sentence, spans: [], note: "" }));
    this[part].push(...lessons);
    this.onChange();
    return lessons;
  }

  move(part, at, by) {
    const [lesson] = this[part].splice(at, 1);
    this[part].splice(at + by, 0, lesson);
    this.onChange();
  }

  /** Move a lesson to the end of the other list. */
  give(part, at) {
    this[OTHER[part]].push(...this[part].splice(at, 1));
    this.onChange();
  }

  remove(part, at) {
    const [lesson] = this[part].splice(at, 1);
    this.onChange();
    return lesson;
  }

  restore(part, at, lesson) {
    this[part].splice(at, 0, lesson);
    this.onChange();
  }
}
