/* Runs in a flame graph after its own script, and leaves what it found in the root's data-failed. */
'use strict';
{
  const root = document.documentElement;
  const frames = [...root.querySelectorAll('.frame')];
  const failed = new Set();
  const expect = (what, condition) => condition || failed.add(what);
  const attribute = (frame, name) => +frame.querySelector('rect').getAttribute(name);
  const looks = () => frames.map(frame => [frame.getAttribute('class'), frame.style.display,
    frame.querySelector('text').textContent, attribute(frame, 'x'), attribute(frame, 'width')]);
  // the program cuts hundredths, the script rounds them
  const is_like = (now, then) => now.every((look, i) => look.every((value, at) =>
    at < 3 ? value === then[i][at] : Math.abs(value - then[i][at]) < 0.02));
  const key = name => dispatchEvent(new KeyboardEvent('keydown', {key: name, cancelable: true}));
  const press = element => element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  const share = words => {
    window.prompt = () => words;
    key('/');
    return root.querySelector('.matched').textContent;
  };

  const begin = frame => +frame.dataset.b;
  const end = frame => begin(frame) + +frame.dataset.w;
  const before = looks();

  expect('frames', frames.length > 5);
  expect('no request', performance.getEntriesByType('resource').length === 0);
  for (const zoomed of frames) {
    press(zoomed.querySelector('rect'));
    expect('the frame fills the width', attribute(zoomed, 'width') === 1180);
    for (const frame of frames) {
      const is_inside = begin(frame) >= begin(zoomed) && end(frame) <= end(zoomed);
      const is_around = begin(frame) <= begin(zoomed) && end(frame) >= end(zoomed) &&
        attribute(frame, 'y') >= attribute(zoomed, 'y');
      const wide = 1180 * frame.dataset.w / zoomed.dataset.w;

      expect('what lies beside is hidden',
        (frame.style.display === 'none') === !(is_inside || is_around));
      expect('what is below fills the width', !is_around || attribute(frame, 'width') === 1180);
      expect('what is below fades', !(is_inside || is_around) || frame.matches('.below') ===
        (attribute(frame, 'y') > attribute(zoomed, 'y')));
      expect('what is above grows',
        is_around || !is_inside || Math.abs(attribute(frame, 'width') - wide) < 0.02);
    }
    key('Escape');
    expect('Escape goes back', is_like(looks(), before));
  }
  // mysqld is within client, too: 2.180 and 3.010 of 7.982 ms
  expect('a search tells the share', share('mysqld') === "'mysqld': 65.0 % matched");
  // client and all that is in it
  expect('nested matches count once', share('^(client|mysqld)$') ===
    "'^(client|mysqld)$': 71.3 % matched");
  expect('matches are marked', root.querySelectorAll('.found').length === 3);
  expect('a name is no pattern', share('[disk 259,0]') === "'[disk 259,0]': 18.8 % matched");
  expect('what is no pattern matches nothing', share('(') === "'(': 0.0 % matched");
  press([...root.querySelectorAll('.button')][1]);
  expect('Reset forgets the search', is_like(looks(), before) &&
    root.querySelector('.matched').textContent === '');
  root.dataset.failed = [...failed].join('; ') || 'nothing';
}
