/**
 * Litmus tests: name, threads, the outcome asked about, and whether it is allowed under sc, tso, pso and c11, in this
 * order. Names and verdicts are the literature's: Alglave, Maranget, Sarkar, Sewell, "Litmus" and "Herding Cats" for the
 * shapes; Owens, Sarkar, Sewell (TPHOLs 2009) for n4 to n7 under TSO; Lahav et al. (PLDI 2017) for RC11, whose IRIW-acq-sc
 * and Z6.U distinguish it from C11 of 2011. Under tso and pso, orders are what compilers make of them: see the docs.
 */
export type Litmus = readonly [name: string, threads: readonly string[], outcome: string, allowed: string]

const both = (a: string, b: string) => [a, b]

export const litmusTable: readonly Litmus[] = [
  ['SB+rlx', both('x=1.rlx; r0=y.rlx', 'y=1.rlx; r0=x.rlx'), '0:r0=0 1:r0=0', '-+++'],
  ['SB+rel+acq', both('x=1.rel; r0=y.acq', 'y=1.rel; r0=x.acq'), '0:r0=0 1:r0=0', '-+++'],
  ['SB+sc', both('x=1.sc; r0=y.sc', 'y=1.sc; r0=x.sc'), '0:r0=0 1:r0=0', '----'],
  [
    'SB+fence.sc',
    both('x=1.rlx; fence.sc; r0=y.rlx', 'y=1.rlx; fence.sc; r0=x.rlx'),
    '0:r0=0 1:r0=0',
    '----',
  ],
  ['SB+fence.sc+none', both('x=1.rlx; fence.sc; r0=y.rlx', 'y=1.rlx; r0=x.rlx'), '0:r0=0 1:r0=0', '-+++'],
  [
    'SB+fence.ar',
    both('x=1.rlx; fence.ar; r0=y.rlx', 'y=1.rlx; fence.ar; r0=x.rlx'),
    '0:r0=0 1:r0=0',
    '-+++',
  ],
  ['SB+sc stores', both('x=1.sc; r0=y.rlx', 'y=1.sc; r0=x.rlx'), '0:r0=0 1:r0=0', '---+'],
  ['SB+sc loads', both('x=1.rlx; r0=y.sc', 'y=1.rlx; r0=x.sc'), '0:r0=0 1:r0=0', '-+++'],
  ['SB+sc+rlx', both('x=1.sc; r0=y.sc', 'y=1.rlx; r0=x.rlx'), '0:r0=0 1:r0=0', '-+++'],
  ['SB+xchg.ar', both('r1=xchg(x,1).ar; r0=y.acq', 'r1=xchg(y,1).ar; r0=x.acq'), '0:r0=0 1:r0=0', '---+'],
  ['SB+xchg.sc', both('r1=xchg(x,1).sc; r0=y.sc', 'r1=xchg(y,1).sc; r0=x.sc'), '0:r0=0 1:r0=0', '----'],
  [
    'SB+fence.sc+xchg.rlx',
    both('x=1.rlx; fence.sc; r0=y.rlx', 'r1=xchg(y,1).rlx; r0=x.rlx'),
    '0:r0=0 1:r0=0',
    '---+',
  ],
  [
    'SB+rfi',
    both('x=1.rlx; r0=x.rlx; r1=y.rlx', 'y=1.rlx; r0=y.rlx; r1=x.rlx'),
    '0:r0=1 0:r1=0 1:r0=1 1:r1=0',
    '-+++',
  ],
  [
    '3.SB+rlx',
    ['x=1.rlx; r0=y.rlx', 'y=1.rlx; r0=z.rlx', 'z=1.rlx; r0=x.rlx'],
    '0:r0=0 1:r0=0 2:r0=0',
    '-+++',
  ],
  ['3.SB+sc', ['x=1.sc; r0=y.sc', 'y=1.sc; r0=z.sc', 'z=1.sc; r0=x.sc'], '0:r0=0 1:r0=0 2:r0=0', '----'],

  ['MP+rlx', both('x=1.rlx; y=1.rlx', 'r0=y.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '--++'],
  ['MP+rel+acq', both('x=1.rlx; y=1.rel', 'r0=y.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],
  ['MP+rel+con', both('x=1.rlx; y=1.rel', 'r0=y.con; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],
  ['MP+rel+rlx', both('x=1.rlx; y=1.rel', 'r0=y.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '---+'],
  ['MP+rlx+acq', both('x=1.rlx; y=1.rlx', 'r0=y.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '--++'],
  [
    'MP+fence.rel+fence.acq',
    both('x=1.rlx; fence.rel; y=1.rlx', 'r0=y.rlx; fence.acq; r1=x.rlx'),
    '1:r0=1 1:r1=0',
    '----',
  ],
  ['MP+fence.rel+acq', both('x=1.rlx; fence.rel; y=1.rlx', 'r0=y.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],
  ['MP+rel+fence.acq', both('x=1.rlx; y=1.rel', 'r0=y.rlx; fence.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],
  ['MP+fence.rel+rlx', both('x=1.rlx; fence.rel; y=1.rlx', 'r0=y.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '---+'],
  ['MP+rlx+fence.acq', both('x=1.rlx; y=1.rlx', 'r0=y.rlx; fence.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '--++'],
  [
    'MP+fence.sc',
    both('x=1.rlx; fence.sc; y=1.rlx', 'r0=y.rlx; fence.sc; r1=x.rlx'),
    '1:r0=1 1:r1=0',
    '----',
  ],
  ['MP+fence.sc+rlx', both('x=1.rlx; fence.sc; y=1.rlx', 'r0=y.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '---+'],
  ['MP+rlx+fence.sc', both('x=1.rlx; y=1.rlx', 'r0=y.rlx; fence.sc; r1=x.rlx'), '1:r0=1 1:r1=0', '--++'],
  ['MP+sc', both('x=1.sc; y=1.sc', 'r0=y.sc; r1=x.sc'), '1:r0=1 1:r1=0', '----'],
  ['MP+fence after', both('x=1.rlx; y=1.rlx; fence.rel', 'r0=y.acq; r1=x.rlx'), '1:r0=1 1:r1=0', '--++'],
  [
    'MP+rel+update+acq',
    ['x=1.rlx; y=1.rel', 'r0=add(y,1).rlx', 'r0=y.acq; r1=x.rlx'],
    '1:r0=1 2:r0=2 2:r1=0',
    '----',
  ],
  ['MP+rel+own store+acq', both('x=1.rlx; y=1.rel; y=2.rlx', 'r0=y.acq; r1=x.rlx'), '1:r0=2 1:r1=0', '---+'],
  [
    'MP+rel+other store+acq',
    ['x=1.rlx; y=1.rel', 'y=2.rlx', 'r0=y.acq; r1=x.rlx'],
    '2:r0=2 2:r1=0 y=2',
    '---+',
  ],
  ['MP+rlx+update', both('x=1.rlx; r0=add(y,1).rlx', 'r0=y.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '---+'],
  ['MP+cas failure rlx', both('x=1.rlx; y=1.rel', 'r0=cas(y,5,6).ar/rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '---+'],
  ['MP+cas failure acq', both('x=1.rlx; y=1.rel', 'r0=cas(y,5,6).ar/acq; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],

  ['LB+rlx', both('r0=x.rlx; y=1.rlx', 'r0=y.rlx; x=1.rlx'), '0:r0=1 1:r0=1', '----'],
  ['LB+acq+rel', both('r0=x.acq; y=1.rel', 'r0=y.acq; x=1.rel'), '0:r0=1 1:r0=1', '----'],
  [
    '3.LB+rlx',
    ['r0=x.rlx; y=1.rlx', 'r0=y.rlx; z=1.rlx', 'r0=z.rlx; x=1.rlx'],
    '0:r0=1 1:r0=1 2:r0=1',
    '----',
  ],

  ['S+rlx', both('x=2.rlx; y=1.rlx', 'r0=y.rlx; x=1.rlx'), '1:r0=1 x=2', '--++'],
  ['S+rel+acq', both('x=2.rlx; y=1.rel', 'r0=y.acq; x=1.rlx'), '1:r0=1 x=2', '----'],
  ['S+rel+rlx', both('x=2.rlx; y=1.rel', 'r0=y.rlx; x=1.rlx'), '1:r0=1 x=2', '---+'],
  [
    'S+fence.rel+fence.acq',
    both('x=2.rlx; fence.rel; y=1.rlx', 'r0=y.rlx; fence.acq; x=1.rlx'),
    '1:r0=1 x=2',
    '----',
  ],
  ['S+sc', both('x=2.sc; y=1.sc', 'r0=y.sc; x=1.sc'), '1:r0=1 x=2', '----'],

  ['R+rlx', both('x=1.rlx; y=1.rlx', 'y=2.rlx; r0=x.rlx'), 'y=2 1:r0=0', '-+++'],
  ['R+rel+acq', both('x=1.rel; y=1.rel', 'y=2.rel; r0=x.acq'), 'y=2 1:r0=0', '-+++'],
  ['R+sc', both('x=1.sc; y=1.sc', 'y=2.sc; r0=x.sc'), 'y=2 1:r0=0', '----'],
  ['R+fence.sc', both('x=1.rlx; fence.sc; y=1.rlx', 'y=2.rlx; fence.sc; r0=x.rlx'), 'y=2 1:r0=0', '----'],
  ['R+none+fence.sc', both('x=1.rlx; y=1.rlx', 'y=2.rlx; fence.sc; r0=x.rlx'), 'y=2 1:r0=0', '--++'],

  ['2+2W+rlx', both('x=1.rlx; y=2.rlx', 'y=1.rlx; x=2.rlx'), 'x=1 y=1', '--++'],
  ['2+2W+rel', both('x=1.rel; y=2.rel', 'y=1.rel; x=2.rel'), 'x=1 y=1', '---+'],
  ['2+2W+sc', both('x=1.sc; y=2.sc', 'y=1.sc; x=2.sc'), 'x=1 y=1', '----'],
  ['2+2W+fence.sc', both('x=1.rlx; fence.sc; y=2.rlx', 'y=1.rlx; fence.sc; x=2.rlx'), 'x=1 y=1', '----'],
  ['2+2W+fence.rel', both('x=1.rlx; fence.rel; y=2.rlx', 'y=1.rlx; fence.rel; x=2.rlx'), 'x=1 y=1', '---+'],
  ['3.2W+rlx', ['x=1.rlx; y=2.rlx', 'y=1.rlx; z=2.rlx', 'z=1.rlx; x=2.rlx'], 'x=1 y=1 z=1', '--++'],

  ['CoRR', both('x=1.rlx', 'r0=x.rlx; r1=x.rlx'), '1:r0=1 1:r1=0', '----'],
  [
    'CoRR2',
    ['x=1.rlx', 'x=2.rlx', 'r0=x.rlx; r1=x.rlx', 'r0=x.rlx; r1=x.rlx'],
    '2:r0=1 2:r1=2 3:r0=2 3:r1=1',
    '----',
  ],
  ['CoWW', ['x=1.rlx; x=2.rlx'], 'x=1', '----'],
  ['CoWR0', ['x=1.rlx; r0=x.rlx'], '0:r0=0', '----'],
  ['CoWR', both('x=1.rlx; r0=x.rlx', 'x=2.rlx'), '0:r0=2 x=1', '----'],
  ['CoRW1', ['r0=x.rlx; x=1.rlx'], '0:r0=1', '----'],
  ['CoRW2', both('r0=x.rlx; x=1.rlx', 'x=2.rlx'), '0:r0=2 x=2', '----'],

  [
    'IRIW+rlx',
    ['x=1.rlx', 'y=1.rlx', 'r0=x.rlx; r1=y.rlx', 'r0=y.rlx; r1=x.rlx'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '---+',
  ],
  [
    'IRIW+rel+acq',
    ['x=1.rel', 'y=1.rel', 'r0=x.acq; r1=y.acq', 'r0=y.acq; r1=x.acq'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '---+',
  ],
  [
    'IRIW+sc',
    ['x=1.sc', 'y=1.sc', 'r0=x.sc; r1=y.sc', 'r0=y.sc; r1=x.sc'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '----',
  ],
  [
    'IRIW+sc stores',
    ['x=1.sc', 'y=1.sc', 'r0=x.acq; r1=y.acq', 'r0=y.acq; r1=x.acq'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '---+',
  ],
  [
    'IRIW-acq-sc',
    ['x=1.sc', 'y=1.sc', 'r0=x.acq; r1=y.sc', 'r0=y.acq; r1=x.sc'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '---+',
  ],
  [
    'IRIW+fence.sc',
    ['x=1.rlx', 'y=1.rlx', 'r0=x.rlx; fence.sc; r1=y.rlx', 'r0=y.rlx; fence.sc; r1=x.rlx'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '----',
  ],
  [
    'IRIW+fence.ar',
    ['x=1.rlx', 'y=1.rlx', 'r0=x.rlx; fence.ar; r1=y.rlx', 'r0=y.rlx; fence.ar; r1=x.rlx'],
    '2:r0=1 2:r1=0 3:r0=1 3:r1=0',
    '---+',
  ],

  ['WRC+rlx', ['x=1.rlx', 'r0=x.rlx; y=1.rlx', 'r0=y.rlx; r1=x.rlx'], '1:r0=1 2:r0=1 2:r1=0', '---+'],
  ['WRC+rel+acq', ['x=1.rel', 'r0=x.acq; y=1.rel', 'r0=y.acq; r1=x.acq'], '1:r0=1 2:r0=1 2:r1=0', '----'],
  ['WRC+rlx+rel+acq', ['x=1.rlx', 'r0=x.rlx; y=1.rel', 'r0=y.acq; r1=x.rlx'], '1:r0=1 2:r0=1 2:r1=0', '----'],
  [
    'ISA2+rel+acq',
    ['x=1.rlx; y=1.rel', 'r0=y.acq; z=1.rel', 'r0=z.acq; r1=x.rlx'],
    '1:r0=1 2:r0=1 2:r1=0',
    '----',
  ],
  [
    'ISA2+rlx',
    ['x=1.rlx; y=1.rlx', 'r0=y.rlx; z=1.rlx', 'r0=z.rlx; r1=x.rlx'],
    '1:r0=1 2:r0=1 2:r1=0',
    '--++',
  ],
  [
    'ISA2+rel+rlx+rel+acq',
    ['x=1.rlx; y=1.rel', 'r0=y.rlx; z=1.rel', 'r0=z.acq; r1=x.rlx'],
    '1:r0=1 2:r0=1 2:r1=0',
    '---+',
  ],
  [
    'ISA2+fence.sc+rlx+fence.sc',
    ['x=1.rlx; fence.sc; y=1.rlx', 'r0=y.rlx; z=1.rlx', 'r0=z.rlx; fence.sc; r1=x.rlx'],
    '1:r0=1 2:r0=1 2:r1=0',
    '---+',
  ],

  ['RWC+rlx', ['x=1.rlx', 'r0=x.rlx; r1=y.rlx', 'y=1.rlx; r0=x.rlx'], '1:r0=1 1:r1=0 2:r0=0', '-+++'],
  ['RWC+sc', ['x=1.sc', 'r0=x.sc; r1=y.sc', 'y=1.sc; r0=x.sc'], '1:r0=1 1:r1=0 2:r0=0', '----'],
  [
    'RWC+fence.sc',
    ['x=1.rlx', 'r0=x.rlx; fence.sc; r1=y.rlx', 'y=1.rlx; fence.sc; r0=x.rlx'],
    '1:r0=1 1:r1=0 2:r0=0',
    '----',
  ],
  [
    'RWC+none+fence.sc',
    ['x=1.rlx', 'r0=x.rlx; r1=y.rlx', 'y=1.rlx; fence.sc; r0=x.rlx'],
    '1:r0=1 1:r1=0 2:r0=0',
    '---+',
  ],
  [
    'W+RWC+rlx',
    ['x=1.rlx; y=1.rlx', 'r0=y.rlx; r1=z.rlx', 'z=1.rlx; r0=x.rlx'],
    '1:r0=1 1:r1=0 2:r0=0',
    '-+++',
  ],
  [
    'W+RWC+rel+acq+fence.sc',
    ['x=1.rlx; y=1.rel', 'r0=y.acq; fence.sc; r1=z.rlx', 'z=1.rlx; fence.sc; r0=x.rlx'],
    '1:r0=1 1:r1=0 2:r0=0',
    '----',
  ],
  ['WWC+rlx', ['x=2.rlx', 'r0=x.rlx; y=1.rlx', 'r0=y.rlx; x=1.rlx'], '1:r0=2 2:r0=1 x=2', '---+'],
  ['WWC+rel+acq', ['x=2.rel', 'r0=x.acq; y=1.rel', 'r0=y.acq; x=1.rel'], '1:r0=2 2:r0=1 x=2', '----'],
  ['Z6.3+rlx', ['x=1.rlx; y=1.rlx', 'y=2.rlx; z=1.rlx', 'r0=z.rlx; r1=x.rlx'], 'y=2 2:r0=1 2:r1=0', '--++'],
  [
    'Z6.3+rel+acq',
    ['x=1.rlx; y=1.rel', 'y=2.rel; z=1.rel', 'r0=z.acq; r1=x.rlx'],
    'y=2 2:r0=1 2:r1=0',
    '---+',
  ],
  [
    'Z6.U',
    ['x=1.sc; y=1.rel', 'r0=add(y,1).sc; r1=y.rlx', 'y=3.sc; r0=x.sc'],
    '1:r0=1 1:r1=3 2:r0=0',
    '---+',
  ],

  ['n4', both('r0=x.rlx; x=1.rlx; r1=x.rlx', 'r0=x.rlx; x=2.rlx; r1=x.rlx'), '0:r0=2 1:r0=1', '----'],
  ['n5', both('x=1.rlx; r0=x.rlx', 'x=2.rlx; r0=x.rlx'), '0:r0=2 1:r0=1', '----'],
  ['n6', both('x=1.rlx; r0=x.rlx; r1=y.rlx', 'y=1.rlx; x=2.rlx'), '0:r0=1 0:r1=0 x=1', '-+++'],
  [
    'n7',
    ['x=1.rlx; r0=x.rlx; r1=y.rlx', 'y=1.rlx', 'r0=y.rlx; r1=x.rlx'],
    '0:r0=1 0:r1=0 2:r0=1 2:r1=0',
    '-+++',
  ],

  ['two adds', both('r0=add(x,1).rlx', 'r0=add(x,1).rlx'), '0:r0=0 1:r0=0', '----'],
  ['two cas', both('r0=cas(x,0,1).rlx/rlx', 'r0=cas(x,0,2).rlx/rlx'), '0:r0=0 1:r0=0', '----'],
  ['add between', both('r0=add(x,1).rlx', 'x=5.rlx'), '0:r0=0 x=1', '----'],
  [
    'SB+locks',
    both('lock m; x=1.rlx; unlock m; r0=y.rlx', 'lock m; y=1.rlx; unlock m; r0=x.rlx'),
    '0:r0=0 1:r0=0',
    '----',
  ],
  [
    'SB in locks',
    both('lock m; x=1.rlx; r0=y.rlx; unlock m', 'lock m; y=1.rlx; r0=x.rlx; unlock m'),
    '0:r0=0 1:r0=0',
    '----',
  ],
]
