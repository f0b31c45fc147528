#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How the samples were made, from public-domain entries of the Protein Data Bank (1CRN, 4E43, 4LZT) with public tools: GROMACS and
# LAMMPS (Debian's gromacs, lammps), PDB2PQR, MDAnalysis and NumPy (PyPI): make.sh [protease helix salt water argon uo2 lysozyme
# hydrogen]. Those of proteins need 1crn.pdb, 4e43.pdb and 4lzt.pdb in the current folder, uo2 debye-cli (DEBYE_CLI names it). Takes some twenty minutes on two
# cores. The same versions give the same files but for the thermostat's random numbers.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
wanted=" ${*:-protease helix salt water argon uo2 lysozyme hydrogen} "
wants() { [[ $wanted == *" $1 "* ]]; }

# --- HIV-1 protease with charges: the protein of 4E43, protonated at pH 7, AMBER charges and radii
if wants protease; then
grep -E '^(ATOM|TER)' 4e43.pdb | awk 'substr($0,17,1)==" "||substr($0,17,1)=="A"' >4e43_protein.pdb
pdb2pqr30 --ff=AMBER --keep-chain --titration-state-method=propka --with-ph=7.0 4e43_protein.pdb protease_raw.pqr
{ echo "REMARK   HIV-1 protease, PDB entry 4E43; hydrogens, charges and radii by PDB2PQR (AMBER, pH 7)"
  grep -E '^(ATOM|HETATM|TER|END)' protease_raw.pqr; } >protease.pqr
fi

# --- mdp files: SPC/E water, PME, 2 fs steps, 300 K
mdp() { # name, integrator, steps, extra
  cat >"$1.mdp" <<MDP
integrator = $2
nsteps = $3
dt = 0.002
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
nstxout-compressed = ${4:-0}
compressed-x-precision = 1000
$([ "$2" = steep ] || printf 'constraints = h-bonds\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\n')
${5:-}
MDP
}
mdp minimise steep 400
mdp relax md 5000 0 $'gen-vel = yes\ngen-temp = 300\ngen-seed = 7'
mdp press md 15000 0 $'pcoupl = C-rescale\ntau-p = 1\nref-p = 1\ncompressibility = 4.5e-5'

simulate() { # name, mdp of the production
  gmx -quiet grompp -f minimise.mdp -c "$1_start.gro" -p "$1.top" -o "$1_em" -maxwarn 2
  gmx -quiet mdrun -deffnm "$1_em"
  gmx -quiet grompp -f relax.mdp -c "$1_em.gro" -p "$1.top" -o "$1_nvt" -maxwarn 2
  gmx -quiet mdrun -deffnm "$1_nvt"
  gmx -quiet grompp -f press.mdp -c "$1_nvt.gro" -t "$1_nvt.cpt" -p "$1.top" -o "$1_npt" -maxwarn 2
  gmx -quiet mdrun -deffnm "$1_npt"
  gmx -quiet grompp -f "$2" -c "$1_npt.gro" -t "$1_npt.cpt" -p "$1.top" -o "$1" -maxwarn 2
  gmx -quiet mdrun -deffnm "$1"
}

# --- A helix of crambin (residues 7 to 19) in a rhombic dodecahedron of water with 0.15 mol/l NaCl
if wants helix; then
awk '/^ATOM/ && substr($0,23,4)+0>=7 && substr($0,23,4)+0<=19' 1crn.pdb >helix.pdb
gmx -quiet pdb2gmx -f helix.pdb -ff amber99sb-ildn -water spce -ignh -o helix.gro -p helix.top -i helix_posre.itp
gmx -quiet editconf -f helix.gro -o helix_box.gro -bt dodecahedron -d 0.85 -c
gmx -quiet solvate -cp helix_box.gro -cs spc216.gro -o helix_wet.gro -p helix.top
gmx -quiet grompp -f minimise.mdp -c helix_wet.gro -p helix.top -o helix_ions -maxwarn 2
echo SOL | gmx -quiet genion -s helix_ions.tpr -o helix_start.gro -p helix.top -neutral -conc 0.15 -seed 7
mdp helix_run md 40000 500
simulate helix helix_run.mdp
echo "Protein System" | gmx -quiet trjconv -f helix.xtc -s helix.tpr -o helix_show.xtc -pbc mol -ur compact -center
"$python" "$here/write_psf.py" helix.tpr helix.psf
cp helix_show.xtc helix.xtc
fi

# --- 1 mol/l sodium chloride in water
if wants salt; then
cat >salt.top <<TOP
#include "amber99sb-ildn.ff/forcefield.itp"
#include "amber99sb-ildn.ff/spce.itp"
#include "amber99sb-ildn.ff/ions.itp"
[ system ]
Sodium chloride, 1 mol/l
[ molecules ]
TOP
gmx -quiet solvate -cs spc216.gro -box 2.4 2.4 2.4 -o salt_wet.gro -p salt.top
grep -q SOL salt.top || echo "SOL $(($(sed -n 2p salt_wet.gro) / 3))" >>salt.top
gmx -quiet grompp -f minimise.mdp -c salt_wet.gro -p salt.top -o salt_ions -maxwarn 2
echo SOL | gmx -quiet genion -s salt_ions.tpr -o salt_start.gro -p salt.top -np 9 -nn 9 -seed 7
mdp salt_run md 50000 1000
simulate salt salt_run.mdp
echo System | gmx -quiet trjconv -f salt.xtc -s salt.tpr -o salt_show.xtc -pbc mol
"$python" "$here/write_psf.py" salt.tpr salt.psf
cp salt_show.xtc salt.xtc
fi

# --- Water alone
if wants water; then
cat >water.top <<TOP
#include "amber99sb-ildn.ff/forcefield.itp"
#include "amber99sb-ildn.ff/spce.itp"
[ system ]
Water
[ molecules ]
TOP
gmx -quiet solvate -cs spc216.gro -box 2.5 2.5 2.5 -o water_start.gro -p water.top
grep -q SOL water.top || echo "SOL $(($(sed -n 2p water_start.gro) / 3))" >>water.top
mdp water_run md 50000 500
simulate water water_run.mdp
echo System | gmx -quiet trjconv -f water.xtc -s water.tpr -o water_show.xtc -pbc mol
"$python" "$here/write_psf.py" water.tpr water.psf
cp water_show.xtc water.xtc
fi

# --- A crystal of argon that melts: 500 atoms on a face-centred cubic lattice, heated from 40 K to 300 K
if wants argon; then
cat >argon.top <<TOP
[ defaults ]
1 2 no 1 1
[ atomtypes ]
AR 18 39.948 0 A 0.3405 0.9961
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0 39.948
[ system ]
Argon
[ molecules ]
AR 500
TOP
"$python" - >argon_start.gro <<'FCC'
edge, cells = 0.5498, 5
corners = [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]
places = [((i + x) * edge, (j + y) * edge, (k + z) * edge)
          for i in range(cells) for j in range(cells) for k in range(cells) for x, y, z in corners]
print('Argon, face-centred cubic')
print(len(places))
for number, place in enumerate(places, 1):
    print(f'{number:5d}AR      AR{number:5d}' + ''.join(f'{x:8.3f}' for x in place))
print((f'{edge * cells:10.5f}') * 3)
FCC
cat >argon.mdp <<MDP
integrator = md
dt = 0.005
nsteps = 24000
cutoff-scheme = Verlet
rvdw = 1.15
rcoulomb = 1.15
nstlist = 10
nstxout-compressed = 200
compressed-x-precision = 1000
tcoupl = v-rescale
tc-grps = System
tau-t = 0.2
ref-t = 40
gen-vel = yes
gen-temp = 80
gen-seed = 7
annealing = single
annealing-npoints = 4
annealing-time = 0 30 80 120
annealing-temp = 40 40 300 300
MDP
gmx -quiet grompp -f argon.mdp -c argon_start.gro -p argon.top -o argon -maxwarn 2
gmx -quiet mdrun -deffnm argon
echo System | gmx -quiet trjconv -f argon.xtc -s argon.tpr -o argon_show.xtc -pbc atom
"$python" "$here/write_psf.py" argon.tpr argon.psf
cp argon_show.xtc argon.xtc
fi

# --- A melt of uranium dioxide: 768 rigid ions of partial charge with the potential of C. B. Basak, A. K. Sengupta & H. S. Kamath,
# J. Alloys Compd. 360 (2003) 210: Coulomb's, Buckingham's (A = f0·b·exp(a/b) with f0 = 0.042203 eV/Å) and, of U-O, Morse's.
# The crystal is heated until it melts, cooled to 3600 K at a pressure of 0 and then kept at its mean volume.
if wants uo2; then
cat >uo2.in <<'LAMMPS'
units metal
atom_style charge
lattice custom 5.47 a1 1 0 0 a2 0 1 0 a3 0 0 1 &
  basis 0 0 0 basis 0 0.5 0.5 basis 0.5 0 0.5 basis 0.5 0.5 0 &
  basis 0.25 0.25 0.25 basis 0.25 0.25 0.75 basis 0.25 0.75 0.25 basis 0.25 0.75 0.75 &
  basis 0.75 0.25 0.25 basis 0.75 0.25 0.75 basis 0.75 0.75 0.25 basis 0.75 0.75 0.75
region box block 0 4 0 4 0 4
create_box 2 box
create_atoms 2 box basis 1 1 basis 2 1 basis 3 1 basis 4 1
mass 1 238.02891
mass 2 15.9994
set type 1 charge 2.4
set type 2 charge -1.2
pair_style hybrid/overlay buck/coul/long 10.0 morse 10.0
pair_coeff 1 1 buck/coul/long 294.640 0.327022 0.0
pair_coeff 1 2 buck/coul/long 693.648 0.327022 0.0
pair_coeff 2 2 buck/coul/long 1633.005 0.327022 3.948787
pair_coeff 1 2 morse 0.577190 1.65 2.369
kspace_style pppm 1.0e-4
timestep 0.001
thermo 1000
thermo_style custom step temp press vol etotal
velocity all create 5000.0 7 mom yes dist gaussian
fix heat all npt temp 5000.0 5000.0 0.1 iso 0.0 0.0 1.0
run 10000
unfix heat
fix cool all npt temp 5000.0 3600.0 0.1 iso 0.0 0.0 1.0
run 8000
unfix cool
fix press all npt temp 3600.0 3600.0 0.1 iso 0.0 0.0 1.0
run 6000
variable volume equal vol
fix mean all ave/time 10 600 6000 v_volume
run 6000
variable edge equal f_mean^(1/3)
variable now equal ${edge}
unfix press
unfix mean
change_box all x final 0 ${now} y final 0 ${now} z final 0 ${now} remap units box
fix keep all nvt temp 3600.0 3600.0 0.1
run 2000
reset_timestep 0
dump show all custom 400 uo2.lammpstrj id type x y z
dump_modify show sort id units yes time yes
run 20000
LAMMPS
lmp -in uo2.in
"$python" - >uo2.psf <<'PSF'
kinds = {'1': ('U', 2.4, 238.02891), '2': ('O', -1.2, 15.9994)}
rows = open('uo2.lammpstrj', encoding='ascii').read().split('ITEM: ATOMS')[1].splitlines()[1:769]
ions = [kinds[row.split()[1]] for row in rows]
print('PSF\n\n       1 !NTITLE\n REMARKS partial charges and masses of the simulation\n')
print(f'{len(ions):8d} !NATOM')
for number, (name, charge, mass) in enumerate(ions, 1):
    print(f'{number:8d} ION  {number:<4d} {name:<4} {name:<4} {name:<4} {charge:10.6f}     {mass:9.4f}  {0:10d}')
for section in ('NBOND: bonds', 'NTHETA: angles', 'NPHI: dihedrals', 'NIMPHI: impropers', 'NDON: donors', 'NACC: acceptors'):
    print(f'\n{0:8d} !{section}')
PSF
"${DEBYE_CLI:-debye-cli}" export --quiet --wrap -o uo2.xtc uo2.psf uo2.lammpstrj
fi

# --- Lysozyme alone, as it breathes: charges screened by a permittivity of 4 in place of water, alpha carbons held by 500 kJ/mol/nm²
if wants lysozyme; then
awk '/^ATOM/ && (substr($0,17,1)==" " || substr($0,17,1)=="A")' 4lzt.pdb >lysozyme_chain.pdb
gmx -quiet pdb2gmx -f lysozyme_chain.pdb -ff amber99sb-ildn -water none -ignh -o lysozyme.gro -p lysozyme.top -i lysozyme_posre.itp
gmx -quiet editconf -f lysozyme.gro -o lysozyme_box.gro -box 8 8 8 -c
echo C-alpha | gmx -quiet genrestr -f lysozyme_box.gro -o lysozyme_posre.itp -fc 500 500 500
dry() { # name, integrator and its settings
  cat >"$1.mdp" <<MDP
$2
cutoff-scheme = Verlet
coulombtype = reaction-field
epsilon-r = 4
epsilon-rf = 78
rcoulomb = 1.2
rvdw = 1.2
nstxout-compressed = 1250
compressed-x-precision = 1000
define = -DPOSRES
refcoord-scaling = all
MDP
}
dry lysozyme_minimise $'integrator = steep\nnsteps = 300'
dry lysozyme_run $'integrator = sd\nnsteps = 25000\ndt = 0.002\nconstraints = h-bonds\ntc-grps = System\ntau-t = 0.5\nref-t = 300
gen-vel = yes\ngen-temp = 300\ngen-seed = 7\nld-seed = 7'
gmx -quiet grompp -f lysozyme_minimise.mdp -c lysozyme_box.gro -r lysozyme_box.gro -p lysozyme.top -o lysozyme_em -maxwarn 3
gmx -quiet mdrun -deffnm lysozyme_em
gmx -quiet grompp -f lysozyme_run.mdp -c lysozyme_em.gro -r lysozyme_box.gro -p lysozyme.top -o lysozyme_md -maxwarn 3
gmx -quiet mdrun -deffnm lysozyme_md
echo Protein | gmx -quiet trjconv -f lysozyme_md.xtc -s lysozyme_md.tpr -o lysozyme.xtc -pbc nojump
echo Protein | gmx -quiet trjconv -f lysozyme_md.xtc -s lysozyme_md.tpr -o lysozyme_first.pdb -dump 0 -pbc nojump
{ echo "REMARK   Hen egg-white lysozyme, PDB entry 4LZT; hydrogens by GROMACS"; grep -E '^(ATOM|TER|END)' lysozyme_first.pdb; } >lysozyme.pdb
fi

# --- Hydrogen's orbitals
if wants hydrogen; then
"$python" "$here/write_hydrogen.py" >hydrogen.molden
fi
