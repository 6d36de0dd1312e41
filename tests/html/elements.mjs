// SPDX-License-Identifier: GPL-2.0-or-later
// As much of elements as the rows of a page need: simple selectors, closest(), clicks at the root.
const parts = /^([a-z]*)((?:\.[a-z]+|\[[a-z-]+\])*)$/;
const camel = name => name.slice(5).replace(/-(.)/g, (_, letter) => letter.toUpperCase());

export class Element {
  constructor(name, attributes = {}, ...children) {
    Object.assign(this, {name, attributes: {}, dataset: {}, classes: new Set(), childNodes: [],
      parentNode: null, ownerDocument: {getElementById: id => this.root().find('id', id)}});
    this.classList = {add: word => this.classes.add(word)};
    for (const [attribute, value] of Object.entries(attributes))
      this.setAttribute(attribute, value);
    this.append(...children);
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === 'class')
      this.classes = new Set(value.split(' '));
    if (name.startsWith('data-'))
      this.dataset[camel(name)] = String(value);
  }

  append(...children) {
    for (const child of children) {
      child.parentNode?.childNodes.splice(child.parentNode.childNodes.indexOf(child), 1);
      child.parentNode = this;
      this.childNodes.push(child);
    }
  }

  get cells() {
    return this.name === 'tr' ? this.childNodes : undefined;
  }

  get textContent() {
    return this.text ?? this.childNodes.map(child => child.textContent).join('');
  }

  set textContent(text) {
    this.childNodes = [];
    this.text = text || undefined;
  }

  root() {
    return this.parentNode?.root() ?? this;
  }

  all() {
    return this.childNodes.flatMap(child => [child, ...child.all()]);
  }

  find(attribute, value) {
    return this.all().find(one => one.attributes[attribute] === value) ?? null;
  }

  contains(other) {
    return other === this || this.all().includes(other);
  }

  matches(selector) {
    return selector.split(', ').some(one => {
      const [is_simple, name, marks] = parts.exec(one) ?? [];
      return is_simple !== undefined && (!name || name === this.name) && (marks.match(/\.[a-z]+|\[[a-z-]+\]/g) ?? [])
        .every(mark => mark[0] === '.' ? this.classes.has(mark.slice(1)) :
          mark.slice(1, -1) in this.attributes);
    });
  }

  closest(selector) {
    return this.matches(selector) ? this : this.parentNode?.closest(selector) ?? null;
  }

  querySelectorAll(selector) {
    return this.all().filter(one => one.matches(selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  addEventListener(type, listener) {
    this.listener = listener;
  }

  click() {
    this.root().listener({target: this});
  }
}

export function cell(text, attributes = {}) {
  const made = new Element('td', attributes);
  made.append(Object.assign(new Element('span'), {text}));
  return made;
}
