import sys,os,pathlib,traceback,time,filecmp
sys.path[:0]=["/tmp/wt/h2/tests","/tmp/wt/h2/tests/unit/studies"]
from importlib import import_module
import logging; logging.disable(logging.CRITICAL)
import test_captions as tc
from schedlab.report.items import make, KINDS
from schedlab.report.parts import write_items
tc.config_of_orig=tc.config_of
def config_of(scale):
    c=tc.config_of_orig(scale); c=dict(c); c["policies"]={}; return c
tc.config_of=config_of
from schedlab.files.config import read_yaml, fill_defaults
BASE=pathlib.Path(sys.argv[1]); OUT=pathlib.Path("/tmp/h2/new"); 
scale=sys.argv[2] if len(sys.argv)>2 else "quick"
only=sys.argv[3:]
OUT=pathlib.Path(os.environ.get("OUT","/tmp/h2/new")); PIX=pathlib.Path("/tmp/h2/base"); keys=os.environ.get("KEYS","carastan2017 legrand2018 klusacek2016 kellari2025 souza2020").split()
from PIL import Image, ImageChops
pix=[] 
def place(p):
    if isinstance(p,str): 
        p=p.replace("<results>",str(BASE)).replace("<workflow>","/tmp/wt/h2")
        if p.startswith("resources/raw"): p=("/tmp/chk/" if scale=="quick" else "/tmp/papers/")+p
        return p
    return [place(x) for x in p]
bad=0;n=0;diff=[]
for key in keys:
    for g in tc.groups_of(key,scale):
        if g.written_out or (only and g.name not in only): continue
        for names in ([[i.name] for i in g.items] if g.each else [[i.name for i in g.items]]):
            item=names[0] if g.each else ""
            inp=g.inputs(item) if callable(g.inputs) else g.inputs
            par=g.params(item) if callable(g.params) else g.params
            values={k:place(v) for k,v in inp.items()}|dict(par)|({"item":item} if g.each else {})
            t=time.time()
            try:
                made=make(g.maker,values)
                outs={}
                for i in g.items:
                    if i.name in names:
                        for s in i.suffixes:
                            f=OUT/key/f"{i.name}.{s}"; f.parent.mkdir(parents=True,exist_ok=True); outs[f"{i.name}_{s}"]=str(f)
                made=made if isinstance(made,dict) else {names[0]:made}; assert set(made)>={x for x in names},(names,set(made))
                write_items(made,outs,words=g.words); n+=1
                for f in outs.values():
                    f=pathlib.Path(f)
                    if f.suffix==".png" and OUT!=PIX:
                        a=Image.open(f); b=Image.open(PIX/key/f.name)
                        if a.size!=b.size or ImageChops.difference(a.convert("RGBA"),b.convert("RGBA")).getbbox(alpha_only=False): pix.append(f"{key}/{f.name}")
                    if f.suffix in(".csv",".md",".txt"):
                        b=BASE/"figures"/key/f.name
                        if not b.exists() or not filecmp.cmp(f,b,False): diff.append(f"{key}/{f.name}")
            except Exception as e:
                bad+=1; print("FAIL",key,g.name,item); traceback.print_exc(limit=-3)
print("made",n,"failed",bad); print("differ:",diff)

print("pixels:",pix)
