/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way that links were followed: steps, each a place as it was when it was left, of the flow
 * view and, where the link stood elsewhere in the page, there. The page's Back goes along them, and
 * so does the browser's history, which gets an entry for each step: its Back and Forward lead to
 * them, and its addresses have the window and the task of each. Where it takes none, the page's own
 * steps are all there is; of entries that are not ours, as those from before the page was loaded
 * anew, the address is read.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const STEPS_MOST = 200;
  const PATIENCE = 1000; // ms, with a history that does not move

  class Trail {
    constructor(flow) {
      this.flow = flow;
      this.steps = new Map(); // by number; what it says of the one we are at is of before
      this.at = this.last = this.noted = 0; // noted: the step of the browser's entry
      this.id = `${performance.timeOrigin} ${Math.random()}`; // ours, of this load
      this.is_following = false; // the browser's history is on its way to `at`
      this.takes_entries = this.note('replaceState');
    }

    note(method) {
      try {
        history[method]({ftwait: this.id, step: this.at}, '', location.href);
        this.noted = this.at;
        return true;
      } catch { // files, frames and too many at once may be refused
        return false;
      }
    }

    // The place as it is. `from`: the element of the page, not of the flow, that led on.
    place(from) {
      const {view, selected, chosen_row} = this.flow;
      return {target: selected, chosen: chosen_row, begin: view.begin, end: view.end,
        scroll: view.scroll, from, page: scrollY};
    }

    // What is here stays behind as a step.
    advance(from) {
      this.steps.set(this.at++, this.place(from));
      for (; this.last >= this.at; this.last--)
        this.steps.delete(this.last);
      this.last = this.at;
      this.steps.delete(this.at - STEPS_MOST - 1);
    }

    // A link is about to lead to another place; before anything moves.
    leave(from = null) {
      this.flow.write_place();
      this.advance(from);
      if (from)
        this.mark(from);
      if (!this.takes_entries)
        return;
      history.scrollRestoration = 'manual'; // a step knows where it was
      this.takes_entries = this.note('pushState');
    }

    // The row that led away is found again by whoever scrolls there, too.
    mark(from) {
      document.querySelector('.left-from')?.classList.remove('left-from');
      from.closest('tr, dd, p')?.classList.add('left-from');
    }

    can_go_back() {
      return this.steps.has(this.at - 1);
    }

    back() {
      if (!this.can_go_back())
        return;
      this.go_to(this.at - 1);
      if (this.takes_entries)
        this.follow();
    }

    go_to(step) {
      const place = this.steps.get(step);
      this.steps.set(this.at, this.place(this.steps.get(this.at)?.from ?? null));
      this.at = step;
      this.restore(place);
    }

    restore({target, chosen, begin, end, scroll, from, page}) {
      const {flow} = this;
      flow.set_window(begin, end);
      flow.choose(chosen);
      flow.select(target);
      flow.scroll_to(scroll, flow.layout.hidden > 0);
      if (from)
        this.return_to(from, page);
      else if (!this.is_in_sight(flow.plot))
        flow.root.scrollIntoView({block: 'start'});
    }

    is_in_sight(element) {
      const {top, bottom} = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }

    return_to(from, page) {
      scrollTo({top: page, behavior: 'instant'});
      if (!from.isConnected)
        return;
      from.focus({preventScroll: true});
      from.scrollIntoView({block: 'nearest'}); // the table may have been sorted
    }

    // Moves the browser's history to where the page is.
    follow() {
      if (this.is_following || this.noted === this.at)
        return;
      this.is_following = true;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => { this.is_following = false; }, PATIENCE);
      history.go(this.at - this.noted);
    }

    // The browser has gone to another entry of its history.
    popped(state) {
      const was_following = this.is_following;
      this.is_following = false;
      if (state?.ftwait !== this.id)
        return; // its address tells: hash_changed()
      this.noted = state.step;
      if (was_following)
        this.follow(); // further, if that was asked for meanwhile
      else if (this.steps.has(state.step) && state.step !== this.at)
        this.go_to(state.step);
      else
        this.read(state.step);
    }

    // A step that is not kept any more: what its address says.
    read(step) {
      this.at = step;
      this.flow.read_place(location.hash, true);
    }

    // Somebody has written another address: a step. That of an entry from before is only read. Of
    // our own entries popped() was told, if they were not gone from before this is.
    hash_changed({newURL}) {
      const {hash} = new URL(newURL); // what stands there now may have been written since
      if (history.state?.ftwait === this.id || hash === this.flow.written)
        return;
      if (history.state === null)
        this.advance(null);
      this.takes_entries &&= this.note('replaceState');
      this.flow.read_place(hash);
    }
  }

  ftwait.Trail = Trail;
}
