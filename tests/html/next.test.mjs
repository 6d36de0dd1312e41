// SPDX-License-Identifier: GPL-2.0-or-later
// What is behind rows and sentences: options of report are read, and a click leads there.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'node:test';
import {Element, cell} from './elements.mjs';
import {encode} from './encode.mjs';
import {load} from './setup.mjs';
import {server, two_machines} from './synthetic.mjs';

const ftwait = load();
const {next} = ftwait;
const decode = trace => ftwait.decode(encode(trace));
const nowhere = {task: -1, at: null};

test('options are read', () => {
  assert.deepEqual(next.read('--critical-path=801 --from 1.250000 --to 1.250001'),
    {begin: 1250000000, end: 1250001000, tid: 801, host: null, views: ['critical-path=801']});
  assert.deepEqual(next.read('--waits --sort wait --kind disk --tid db:901 --all'),
    {begin: null, end: null, tid: 901, host: 'db', views: ['waits', 'all']});
  assert.deepEqual(next.read('--sched --tid 5,6'),
    {begin: null, end: null, tid: null, host: null, views: ['sched']}); // no one task
  assert.deepEqual(next.read(''), {begin: null, end: null, tid: null, host: null, views: []});
});

test('a name that looks like options is a name', () => {
  for (const name of ["'--tid 5'", "$'a\\' --tid 5 --from 1 --to 2'", '--tid', "'x'\\''--lock'",
    "$'\\xe2\\x80\\xae--lock'", "'--from 1 --to 2'"])
    assert.deepEqual(next.read(`--waits --comm ${name} --from 3 --to 4`),
      {begin: 3e9, end: 4e9, tid: null, host: null, views: ['waits']}, name);
  for (const options of ['--from x --to 1e3', '--from', "--comm 'open", '--tid -5', '--tid'])
    assert.deepEqual({...next.read(options), views: null},
      {begin: null, end: null, tid: null, host: null, views: null}, options);
});

// An option that takes a value and is not known to do so would be read as a view, and its value, too.
test('whatever the program says is understood', () => {
  const golden = fileURLToPath(new URL('../golden/report/', import.meta.url));
  const all = new Set(readdirSync(golden).filter(name => name.endsWith('.stdout'))
    .flatMap(name => [...readFileSync(golden + name, 'utf8').matchAll(/"next": ?("(?:[^"\\]|\\.)*")/g)])
    .map(([, text]) => JSON.parse(text)));
  assert.ok(all.size > 200, `${all.size} links are known`);
  for (const options of all) {
    const {begin, end, views} = next.read(options);
    assert.ok(views.length && views.every(view => /^[a-z-]+(=.+)?$/.test(view)), options);
    assert.equal(begin !== null, / --from [0-9.]+( |$)/.test(options), options);
    assert.equal(end !== null, / --to [0-9.]+( |$)/.test(options), options);
    assert.equal(begin === null || end === null || begin <= end, true, options);
  }
});

test('a link leads to its window and task', () => {
  const data = decode(server(10)), place = (options, row = nowhere) => next.place(data, options, row);
  assert.deepEqual(place('--critical-path=801 --from 1 --to 1.5'),
    {task: 1, at: 1.25e9, begin: 1e9, end: 1.5e9});
  assert.deepEqual(place('--critical-path=801 --from 1 --to 1.5', {task: 2, at: 1.1e9}),
    {task: 1, at: 1.1e9, begin: 1e9, end: 1.5e9}); // the row's instant is the more exact one
  assert.deepEqual(place('--critical-path=801 --from 1 --to 1.5', {task: 2, at: 3e9}),
    {task: 1, at: 1.25e9, begin: 1e9, end: 1.5e9});
  assert.deepEqual(place('--waits --sort wait --tid 901', {task: 1, at: 3e9}), {task: 2, at: 3e9});
  assert.deepEqual(place('--disk --from 1 --to 2', {task: 3, at: null}),
    {task: 3, at: 1.5e9, begin: 1e9, end: 2e9});
  assert.deepEqual(place('--critical-path=4 --from 1 --to 2', {task: 3, at: 1e9}),
    {task: -1, at: 1e9, begin: 1e9, end: 2e9}); // that task is not in the page, and no other is meant
  assert.deepEqual(place('--events --tid 801 --from 3', {task: 1, at: 3e9}),
    {task: 1, at: 3e9, begin: 3e9, end: 1e10}); // from there on
  assert.equal(place('--sched'), null);
});

test('a window ends where the page does, and all of it is none', () => {
  const data = decode(server(10)), place = (options, row = nowhere) => next.place(data, options, row);
  assert.deepEqual(place('--summary --from 9 --to 12'), {task: -1, at: 9.5e9, begin: 9e9, end: 1e10});
  assert.equal(place('--sched --from 0 --to 10.000001'), null);
  assert.deepEqual(place('--waits --tid 801 --from 0 --to 10.000001', {task: 0, at: 5e9}),
    {task: 1, at: 5e9});
  assert.equal(place('--summary --from 11 --to 12'), null);
});

test('a task is the one of its machine', () => {
  const data = decode(two_machines(1)), task = options => next.place(data, options, nowhere)?.task;
  assert.equal(task('--waits --tid web:801'), 1);
  assert.equal(task('--critical-path=db:801 --from 0.1 --to 0.2'), 2);
  assert.equal(task('--waits --tid other:801'), undefined);
});

// A page of a few rows and a sentence, and what a click leads to: places in the picture, with what the
// panel says of them, or ids of sections. Nobody waits, so there are no longest waits.
const quiet = () => decode({begin: 0, end: 1e10,
  tasks: [[801, 801, 'nginx', 1, 120, -1], [901, 901, '<b>', 1, 120, -1]],
  rows: [0, 0].map(begin => ({begin, segments: [{length: 1e10, state: 0}]}))});

function page_of(data, {marked = false} = {}) {
  globalThis.document = {createElement: name => new Element(name)};
  globalThis.getSelection = () => ({isCollapsed: !marked});
  const seen = [];
  const row = (options, ...cells) =>
    new Element('tr', options ? {'data-next': options} : {}, ...cells);
  const rows = [
    row('--critical-path=801 --from 1 --to 1.5', cell('other', {'data-tid': 901}),
      cell('1.1', {'data-at': 1.1e9}), cell('words')),
    row("--lock --comm '<b>--tid 901'", cell('<b>--tid 901'), cell('2 ms')),
    row('--syscall=read --from 2 --to 3 --lock', cell('read')),
    row(null, cell('4.0', {'data-at': 4e9}), cell('nothing behind it')),
    row('--waits --summary', cell('of a view that is not there, and its own'))];
  const sentence = new Element('p', {'data-next': '--chains'});
  const sections = ['lock', 'chains', 'syscall'].map(id => Object.assign(
    new Element('section', {class: 'view', id}), {focus: () => seen.push(id), scrollIntoView() {}}));
  const main = new Element('main', {'data-report': "ftwait report 'a b.dat'"},
    new Element('section', {class: 'view', id: 'summary'}, sentence, ...rows), ...sections);
  const page = new Element('body', {}, main);
  ftwait.tables.start(page, data, {show: place => seen.push(place),
    find_task: (...asked) => data ? ftwait.walk.find_task(data, ...asked) : -1});
  const click = element => {
    element.click();
    return seen.splice(0).map(one => {
      const {behind, ...place} = one;
      return typeof one === 'string' ? one : !behind ? place :
        [place, behind.command, behind.section?.attributes.id ?? null];
    });
  };
  return {rows, sentence, click};
}

test('a click on a row leads to what is behind it, one on a place to that', () => {
  const {rows: [path, lock, call, bare, other], sentence, click} = page_of(quiet());
  const command = options => `ftwait report 'a b.dat' ${options}`;
  const behind = [{task: 0, at: 1.1e9, begin: 1e9, end: 1.5e9},
    command('--critical-path=801 --from 1 --to 1.5'), null];
  assert.deepEqual(click(path.cells[2]), [behind]);
  assert.deepEqual(click(path.querySelector('button.next')), [behind]);
  assert.deepEqual(click(path.cells[0]), [{task: 1, at: 1.1e9}]);
  assert.deepEqual(click(path.cells[1].querySelector('button.link')), [{task: 1, at: 1.1e9}]);
  assert.deepEqual(click(lock.cells[1]), ['lock']);
  assert.deepEqual(click(call.cells[0]), [[{task: -1, at: 2.5e9, begin: 2e9, end: 3e9},
    command('--syscall=read --from 2 --to 3 --lock'), 'lock']]);
  assert.deepEqual(click(bare.cells[1]), [{task: -1, at: 4e9}]);
  assert.deepEqual(click(other.cells[0]), [[{}, command('--waits --summary'), null]]);
  assert.deepEqual(click(sentence), []); // only its button leads on
  assert.deepEqual(click(sentence.querySelector('button.next')), ['chains']);
  const [title] = lock.querySelectorAll('button.next').map(({attributes}) => attributes.title);
  assert.equal(title, command("--lock --comm '<b>--tid 901'"));
  assert.equal(lock.textContent, '<b>--tid 9012 ms'); // the button has no text to sort by
});

test('whoever marks text goes nowhere', () => {
  const {rows, click} = page_of(quiet(), {marked: true});
  assert.deepEqual(rows.flatMap(row => click(row.cells[0])), []);
});

test('without a flow rows lead to sections only', () => {
  const {rows, click} = page_of(null);
  assert.deepEqual(rows.filter(row => row.dataset.next).map(row => click(row.cells.at(-1))),
    [[], ['lock'], ['lock'], []]);
});
