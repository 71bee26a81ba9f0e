"""What is right, worked out without the grader: plain-float answers for right hand-ins, evidence against wrong ones."""
