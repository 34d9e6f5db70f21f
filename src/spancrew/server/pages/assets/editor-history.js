// Steps back and forth between values.

/** A value with its past and its future. */
export class History {
  constructor(value) {
    this.past = [];
    this.now = value;
    this.future = [];
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** Go on to a new value; what had been undone is forgotten. */
  push(value) {
    this.past.push(this.now);
    this.now = value;
    this.future = [];
  }

  /** Go one step back; tell whether there was one. */
  undo() {
    if (!this.canUndo) return false;
    this.future.push(this.now);
    this.now = this.past.pop();
    return true;
  }

  /** Go one step forth; tell whether there was one. */
  redo() {
    if (!this.canRedo) return false;
    this.past.push(this.now);
    this.now = this.future.pop();
    return true;
  }
}
